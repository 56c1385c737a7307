/** Why a command failed, in the one line that is printed. */
export class CommandFailure extends Error {}
