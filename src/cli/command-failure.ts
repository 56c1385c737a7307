/** A failed command, with a one-line message for the user. */
export class CommandFailure extends Error {}
