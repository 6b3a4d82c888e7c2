"""Recurring charges in statements and receipts. Reads files that are there; nothing leaves them."""
