/** Why a campaign has paused itself. */
export interface PauseReason {
  readonly failed: number;
  readonly of: number;
  /** What most of them failed for; null when it is not said. */
  readonly common: string | null;
}

const BRAKE = /^(\d+) of (\d+) recipients in a row failed/;
const COMMON = /Most common error: (.+?)\. Resume the campaign/;

/** The figures in the reason of a campaign that has paused itself; null for another reason. */
export function pauseReason(reason: string): PauseReason | null {
  const [, failed, of] = BRAKE.exec(reason) ?? [];
  if (failed === undefined || of === undefined) return null;
  return { failed: Number(failed), of: Number(of), common: COMMON.exec(reason)?.[1]?.replace(/\.$/, '') ?? null };
}

/** A reason of the API as a sentence. */
export function sentence(text: string): string {
  const [first = '', ...rest] = [...text.trim()];
  if (first === '') return '';
  return first.toUpperCase() + rest.join('') + (/[.?!]$/.test(text.trim()) ? '' : '.');
}
