/** Invalid input to a control call under `/_sim/`; answered as `{error, message}`, never in Graph's error format. */
export class ControlError extends Error {
  constructor(
    message: string,
    readonly status: 400 | 404 = 400,
  ) {
    super(message);
  }
}
