"""`python -m subterminator` is the command line."""

from subterminator.doors.entry import main

if __name__ == "__main__":
    main()
