/** Wrong input to a control call under `/_sim/`; answered `{error, message}` with its status, never in Graph's shape. */
export class ControlError extends Error {
  constructor(
    message: string,
    readonly status: 400 | 404 = 400,
  ) {
    super(message);
  }
}
