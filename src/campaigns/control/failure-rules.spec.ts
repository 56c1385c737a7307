import { FAILURE_PATIENCE_MS, type FailureStreak, failedAgain, isHopeless, RELATED_MS } from './failure-rules.js';

/** The times of all tries until the campaign is stopped, if each one fails. */
function triesUntilStopped(): number[] {
  const tries: number[] = [];
  let streak: FailureStreak | null = null;
  let at = 0;
  do {
    tries.push(at);
    streak = failedAgain(streak, at);
    if (isHopeless(streak)) return tries;
    at = streak.retryAt;
  } while (tries.length < 100);
  return tries;
}

describe('unexpected failures of a campaign', () => {
  it('are retried with backoff, and stop it when nothing has worked for 30 seconds', () => {
    expect(triesUntilStopped().map((at) => at / 1000)).toEqual([0, 1, 3, 7, 15, 23, 30]);
  });

  it('do not stop it when there were too few of them, however long ago the first one was', () => {
    let streak = failedAgain(null, 0);
    for (const at of [29_000, 58_000]) streak = failedAgain(streak, at);
    expect(streak).toMatchObject({ since: 0, failures: 3 });
    expect(isHopeless(streak)).toBe(false);
    expect(isHopeless(failedAgain(streak, 66_000))).toBe(true);
  });

  it('start a new streak when the last one was long ago', () => {
    const first = failedAgain(null, 0);
    const later = RELATED_MS + FAILURE_PATIENCE_MS;
    expect(failedAgain(first, later)).toEqual(failedAgain(null, later));
  });
});
