import { Injectable } from '@nestjs/common';
import { dropWaitingBodies, MAX_WAITING, removeConversations } from '../contacts/erasure/contact-erasure.queries.js';
import { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import type { Tx } from '../database/unit-of-work.js';
import { AnswerErasureService } from '../idempotency/answer-erasure.service.js';
import type { RecordId } from '../values/record-id.js';
import { type PersonTokens, redactedText } from '../values/redaction.js';
import {
  clearCallbacks,
  clearReceiverResponses,
  dropReportsAbout,
  lockBodies,
  redactMessages,
  removePersonalValues,
  replaceBodies,
  scanEvents,
} from './erased-rows.queries.js';
import type { ErasureRun } from './erasure-run.entity.js';
import { FIRST_ID, findPeople } from './erasure-run.queries.js';

/**
 * Rows that a step looks at in one transaction: of those that are found by their contact, and of those that are read
 * through.
 */
const FEW = 500;
const MANY = 5000;
/** Contacts whose messages are looked at together. */
const TOGETHER = 100;
const LONG_AGO = '-infinity';

/** What a run has to know in each transaction. */
interface Work {
  readonly run: Pick<ErasureRun, 'accountId' | 'logFrom'>;
  readonly contactIds: readonly RecordId[];
  /** Empty once nothing is kept that they could be found by. */
  readonly people: PersonTokens;
}

type KnownWork = Omit<Work, 'run'> & { readonly run: ErasureRun };

/**
 * One table, or some that belong together: does a bounded piece from `position` on (null: from the beginning).
 *
 * @returns where to go on, or null when the step is over
 */
type Step = (work: Work, position: string | null, tx: Tx) => Promise<string | null>;

/** Takes erased contacts out of one table after the other, in pieces that may be repeated. */
@Injectable()
export class ErasureSteps {
  /** In the order in which they are taken. */
  private readonly steps: ReadonlyMap<string, Step> = new Map<string, Step>([
    ['conversations', conversations],
    ['messages', messages],
    ['recipients', recipients],
    ['events', events],
    ['receivers', receivers],
    ['callbacks', callbacks],
    ['answers', (work, position, tx) => this.answersOf(work, position, tx)],
  ]);

  private known: KnownWork | null = null;

  constructor(
    private readonly erasures: ContactErasureService,
    private readonly answers: AnswerErasureService,
  ) {}

  /** The name of the step that a run begins with. */
  get first(): string {
    return [...this.steps.keys()][0] ?? '';
  }

  /**
   * Does the next piece of a run.
   *
   * @returns the step and position to go on from, or null when the run is over
   */
  async advance(run: ErasureRun, tx: Tx): Promise<Pick<ErasureRun, 'step' | 'position'> | null> {
    const names = [...this.steps.keys()];
    const step = this.steps.get(run.step);
    if (step === undefined) throw new Error(`an erasure is at a step that this release does not know: ${run.step}`);
    const position = await step(await this.workOf(run, tx), run.position, tx);
    if (position !== null) return { step: run.step, position };
    const next = names[names.indexOf(run.step) + 1];
    return next === undefined ? null : { step: next, position: null };
  }

  /** Whom a run is about does not change, and may take a while to decrypt. */
  private async workOf(run: ErasureRun, tx: Tx): Promise<Work> {
    const isKnown = ({ accountId, startedAt }: ErasureRun) =>
      accountId === run.accountId && startedAt.getTime() === run.startedAt.getTime();
    if (this.known === null || !isKnown(this.known.run)) this.known = await this.read(run, tx);
    return { ...this.known, run };
  }

  private async read(run: ErasureRun, tx: Tx): Promise<KnownWork> {
    const found = await findPeople(run.accountId, tx);
    const identities = found.flatMap(({ contactId, identity }) => (identity === null ? [] : [{ contactId, identity }]));
    return {
      run,
      contactIds: found.map(({ contactId }) => contactId),
      people: this.erasures.unseal(run.accountId, identities),
    };
  }

  private async answersOf({ run, people }: Work, position: string | null, tx: Tx): Promise<string | null> {
    if (people.all.length === 0) return null;
    const [family = FIRST_ID, key = ''] = parts(position);
    const last = await this.answers.erase(run.accountId, people, { family, key }, FEW, tx);
    return last === null ? null : joined(last.family, last.key);
  }
}

const conversations: Step = async ({ run: { accountId }, contactIds }, _, tx) => {
  await removeConversations(accountId, contactIds, tx);
  return (await dropWaitingBodies(accountId, tx)) === MAX_WAITING ? 'more' : null;
};

/** Some contacts at a time: an index has the messages of each, but they are sorted together. */
const messages: Step = async ({ run: { accountId }, contactIds }, position, tx) => {
  const [first = contactIds[0] ?? '', after = FIRST_ID] = parts(position);
  const from = contactIds.indexOf(first);
  const last = await redactMessages(accountId, contactIds.slice(from, from + TOGETHER), after, FEW, tx);
  if (last !== null) return joined(first, last);
  const next = contactIds[from + TOGETHER];
  return next === undefined ? null : joined(next, FIRST_ID);
};

const recipients: Step = async ({ run: { accountId }, contactIds }, _, tx) =>
  (await removePersonalValues(accountId, contactIds, FEW, tx)) === FEW ? 'more' : null;

const events: Step = async ({ run: { accountId, logFrom }, contactIds, people }, position, tx) => {
  const { lastId, told, unknown } = await scanEvents(accountId, contactIds, position ?? logFrom, MANY, tx);
  const found = [...told, ...(people.all.length === 0 ? [] : unknown)].sort();
  if (found.length > 0) {
    const isTold = new Set(told);
    const bodies = (await lockBodies(accountId, found, tx)).flatMap(({ id, body }) => {
      if (!isTold.has(id) && !people.areNamedIn(body)) return [];
      const redacted = redactedText(body);
      return redacted === body ? [] : [{ id, body: redacted }];
    });
    if (bodies.length > 0) await replaceBodies(accountId, bodies, tx);
  }
  return lastId;
};

const receivers: Step = async ({ run: { accountId }, contactIds, people }, position, tx) => {
  if (people.all.length === 0) return null;
  const [deliveryId = FIRST_ID, at = LONG_AGO] = parts(position);
  const last = await clearReceiverResponses(
    accountId,
    { contactIds, tokens: people.all },
    { deliveryId, at },
    MANY,
    tx,
  );
  return last === null ? null : joined(last.deliveryId, last.at);
};

const callbacks: Step = async ({ run: { accountId }, people }, position, tx) => {
  if (people.all.length === 0) return null;
  if (position === null) await dropReportsAbout(accountId, people.all, tx);
  const [owner = 'account', after = FIRST_ID] = parts(position);
  const last = await clearCallbacks(accountId, owner === 'nobody' ? owner : 'account', people.all, after, FEW, tx);
  if (last !== null) return joined(owner, last);
  return owner === 'nobody' ? null : joined('nobody', FIRST_ID);
};

/** Positions have two parts; the second may hold anything. */
const joined = (first: string, second: string): string => `${first} ${second}`;
const parts = (position: string | null): string[] => {
  if (position === null) return [];
  const at = position.indexOf(' ');
  return [position.slice(0, at), position.slice(at + 1)];
};
