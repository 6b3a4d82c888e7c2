"""`python -m subterminator` is the command line."""

from subterminator.doors.cli import main

if __name__ == "__main__":
    main(prog_name="subterminator")
