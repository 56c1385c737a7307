const WINDOW_MS = 5000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** Measures messages per second over the last five seconds; it begins anew when a retry takes back what was counted. */
export class SendingRate {
  private readonly looks: { readonly sent: number; readonly at: number }[] = [];

  /** @param at milliseconds on any clock that only advances */
  add(sent: number, at: number): number {
    if (sent < (this.looks.at(-1)?.sent ?? 0)) this.looks.length = 0;
    this.looks.push({ sent, at });
    while ((this.looks[1]?.at ?? at) <= at - WINDOW_MS) this.looks.shift();
    const first = this.looks[0];
    return first === undefined || first.at === at ? 0 : ((sent - first.sent) * 1000) / (at - first.at);
  }
}

/** The remaining time at this rate, in words; null at rate 0. */
export function timeLeft(messages: number, perSecond: number): string | null {
  if (perSecond <= 0) return null;
  const seconds = Math.ceil(Math.max(0, messages) / perSecond);
  if (seconds < 2 * MINUTE_S) return `${seconds} s left`;
  const minutes = Math.round(seconds / MINUTE_S);
  if (seconds < 2 * HOUR_S) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
