"""Models to practise with: a server that speaks the providers' wire formats and plays scripts."""
