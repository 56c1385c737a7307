import { activityOf, Books } from './books.js';
import { Crowd, csv, type Excess } from './crowd.js';
import { FaultStack } from './fault-stack.js';
import { say, sayFigures } from './figures.js';
import { Load, measured, type Outcome } from './load.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';
import { badAnswers, heldUp, notHealed, unanswered } from './verdict.js';

const QUIET_MS = 5000;
const CROWDED_MS = 10_000;
const WATCHED_MS = 6000;
const SMALL_FILE_ROWS = 5;

/** Which overload to create. */
export interface Overload {
  readonly accounts: number;
  readonly excesses: readonly Excess[];
  /** Contacts of each overloading account. */
  readonly contacts: number;
}

/**
 * Lets some accounts overload the service while another has its usual traffic.
 *
 * @returns what went wrong for that one
 */
export async function overload({ accounts, excesses, contacts }: Overload): Promise<string[]> {
  const stack = await FaultStack.start();
  try {
    const service = await stack.mainService();
    const crowds: Crowd[] = [];
    for (let each = 0; each < accounts; each += 1) crowds.push(await Crowd.of(stack, service, contacts));
    const traffic = await Traffic.prepare(stack, service, await stack.account(service), { reports: 220 });
    const imports: Outcome[] = [];
    const headers = { authorization: `Bearer ${traffic.account.apiKey}`, 'content-type': 'text/csv' };
    const importing = async () => {
      const body = csv(SMALL_FILE_ROWS);
      imports.push(await measured(`${service.baseUrl}/api/v1/contacts/import`, { method: 'POST', headers, body }));
    };
    const small = new Load(1, importing);
    const since = (at: number) => [
      ...traffic.since(at),
      { kind: 'import', outcomes: imports.filter((outcome) => outcome.at >= at) },
    ];
    const quietFrom = traffic.start();
    await pause(QUIET_MS);
    const quiet = since(quietFrom);
    sayFigures('quiet', quiet);

    const crowdedFrom = Date.now();
    for (const crowd of crowds) crowd.start(excesses);
    await pause(CROWDED_MS);
    // The crowds go on until the others have been answered.
    const held = await unanswered(crowdedFrom, () => since(crowdedFrom));
    const endedAt = Date.now();
    await Promise.all(crowds.map((crowd) => crowd.stop()));
    const crowdedUntil = Date.now();
    await pause(WATCHED_MS);
    const unhealed = await unanswered(crowdedUntil, () => since(crowdedFrom));
    await Promise.all([traffic.stop(), small.stop()]);
    const crowded = since(crowdedFrom).map(({ kind, outcomes }) => ({
      kind,
      outcomes: outcomes.filter(({ at }) => at <= endedAt),
    }));
    sayFigures(`with ${accounts} in the crowd`, crowded);
    say(`  the crowd: ${crowds[0]?.summary}`);
    await traffic.reportTheRest();
    return [
      ...held.map((what) => `in the crowd: ${what}`),
      ...unhealed,
      ...badAnswers(crowded, { refusals: false }),
      ...heldUp(quiet, crowded),
      ...notHealed(since(crowdedFrom), crowdedUntil),
      ...crowds.flatMap((crowd) => crowd.faults),
      ...(await new Books(stack).findings(activityOf(traffic), ...crowds)),
    ];
  } finally {
    await stack.stop();
  }
}
