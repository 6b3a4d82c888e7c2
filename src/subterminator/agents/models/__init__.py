"""Language models behind one protocol. Only these modules know an SDK, and import it when used."""
