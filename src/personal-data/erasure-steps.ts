import { Injectable } from '@nestjs/common';
import { dropWaitingBodies, MAX_WAITING, removeConversations } from '../contacts/erasure/contact-erasure.queries.js';
import { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import type { Tx } from '../database/unit-of-work.js';
import { eraseFromSources } from '../hooks/personal-data.js';
import { AnswerErasureService } from '../idempotency/answer-erasure.service.js';
import { flatMapInSlices } from '../runtime/slices.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
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
import { findPeople, lockUnreadable, MAX_PEOPLE, markUnreadable, postpone } from './erasure-run.queries.js';

/** Rows per transaction: for rows found by contact, and for rows that must be scanned. */
const PAGE_ROWS = 500;
const SCAN_ROWS = 5000;
/** Callbacks per transaction: each is searched, and may be large. */
const CALLBACK_ROWS = 100;
/** Contacts whose messages are cleared together. */
const CONTACTS_PER_STEP = 100;
const LONG_AGO = '-infinity';

/** What a step needs in each transaction. */
interface StepContext {
  readonly run: Pick<ErasureRun, 'accountId' | 'logFrom'>;
  readonly contactIds: readonly RecordId[];
  /** Empty once the tokens have been deleted. */
  readonly people: PersonTokens;
  /** Contacts whose tokens this process cannot decrypt: they are erased from everything that is found by contact. */
  readonly unreadable: readonly RecordId[];
}

type CachedContext = Omit<StepContext, 'run'> & { readonly run: ErasureRun };

/**
 * Cleans one table or a few related ones: handles a bounded batch starting at `position` (null: the beginning).
 *
 * @returns the position to continue from, or null when the step is complete
 */
type Step = (context: StepContext, position: string | null, tx: Tx) => Promise<string | null>;

/** Removes erased contacts from one table after another, in repeatable batches. */
@Injectable()
export class ErasureSteps {
  /** In the order in which they run. */
  private readonly steps: ReadonlyMap<string, Step> = new Map<string, Step>([
    ['conversations', conversations],
    ['messages', messages],
    ['recipients', recipients],
    ['events', events],
    ['receivers', receivers],
    ['callbacks', callbacks],
    ['answers', (context, position, tx) => this.answersOf(context, position, tx)],
    ['sources', sources],
  ]);

  private cached: CachedContext | null = null;

  constructor(
    private readonly erasures: ContactErasureService,
    private readonly answers: AnswerErasureService,
  ) {}

  /** The name of a run's first step. */
  get first(): string {
    return [...this.steps.keys()][0] ?? '';
  }

  /**
   * Puts off erasures that still cannot be decrypted: a run would search all texts, and the whole event log, for nobody.
   *
   * @returns whether there may be more
   */
  async postponeUnreadable(accountId: RecordId, tx: Tx): Promise<boolean> {
    const { unreadable } = await this.erasures.unseal(accountId, await lockUnreadable(accountId, tx));
    if (unreadable.length === 0) return false;
    const contactIds = unreadable.map(({ contactId }) => contactId);
    await postpone(accountId, contactIds, tx);
    return unreadable.length === MAX_PEOPLE;
  }

  /**
   * Processes the next batch of a run.
   *
   * @returns the step and position to continue from, or null when the run is complete
   */
  async advance(run: ErasureRun, tx: Tx): Promise<Pick<ErasureRun, 'step' | 'position'> | null> {
    const names = [...this.steps.keys()];
    const step = this.steps.get(run.step);
    if (step === undefined)
      throw new Error(
        `an erasure run is at the unknown step "${run.step}"; it was probably started by a newer release`,
      );
    const context = await this.contextFor(run, tx);
    // In each batch, because any process may continue the run, and each has its own keys.
    if (context.unreadable.length > 0) await markUnreadable(run.accountId, context.unreadable, tx);
    const position = await step(context, run.position, tx);
    if (position !== null) return { step: run.step, position };
    const next = names[names.indexOf(run.step) + 1];
    return next === undefined ? null : { step: next, position: null };
  }

  /** Caches the contacts of the current run: they do not change, and decrypting their tokens may take a while. */
  private async contextFor(run: ErasureRun, tx: Tx): Promise<StepContext> {
    const isCached = ({ accountId, startedAt }: ErasureRun) =>
      accountId === run.accountId && startedAt.getTime() === run.startedAt.getTime();
    if (this.cached === null || !isCached(this.cached.run)) this.cached = await this.read(run, tx);
    return { ...this.cached, run };
  }

  private async read(run: ErasureRun, tx: Tx): Promise<CachedContext> {
    const found = await findPeople(run.accountId, tx);
    const identities = found.flatMap(({ contactId, identity }) => (identity === null ? [] : [{ contactId, identity }]));
    const { people, unreadable } = await this.erasures.unseal(run.accountId, identities);
    return {
      run,
      contactIds: found.map(({ contactId }) => contactId),
      people,
      unreadable: unreadable.map(({ contactId }) => contactId),
    };
  }

  private async answersOf({ run, people }: StepContext, position: string | null, tx: Tx): Promise<string | null> {
    if (people.all.length === 0) return null;
    const [family = NIL_ID, key = ''] = splitPosition(position);
    const last = await this.answers.erase(run.accountId, people, { family, key }, PAGE_ROWS, tx);
    return last === null ? null : joinPosition(last.family, last.key);
  }
}

const conversations: Step = async ({ run: { accountId }, contactIds }, _, tx) => {
  await removeConversations(accountId, contactIds, tx);
  return (await dropWaitingBodies(accountId, tx)) === MAX_WAITING ? 'more' : null;
};

/** Handles a few contacts at a time: the index is by contact, but the messages of one batch are sorted together. */
const messages: Step = async ({ run: { accountId }, contactIds }, position, tx) => {
  const [first = contactIds[0] ?? '', after = NIL_ID] = splitPosition(position);
  const from = contactIds.indexOf(first);
  const last = await redactMessages(accountId, contactIds.slice(from, from + CONTACTS_PER_STEP), after, PAGE_ROWS, tx);
  if (last !== null) return joinPosition(first, last);
  const next = contactIds[from + CONTACTS_PER_STEP];
  return next === undefined ? null : joinPosition(next, NIL_ID);
};

const recipients: Step = async ({ run: { accountId }, contactIds }, _, tx) =>
  (await removePersonalValues(accountId, contactIds, PAGE_ROWS, tx)) === PAGE_ROWS ? 'more' : null;

const events: Step = async ({ run: { accountId, logFrom }, contactIds, people }, position, tx) => {
  const { lastId, matching, unattributed } = await scanEvents(
    accountId,
    contactIds,
    position ?? logFrom,
    SCAN_ROWS,
    tx,
  );
  const found = [...matching, ...(people.all.length === 0 ? [] : unattributed)].sort();
  if (found.length > 0) {
    const isMatching = new Set(matching);
    const bodies = await flatMapInSlices(await lockBodies(accountId, found, tx), ({ id, body }) => {
      if (!isMatching.has(id) && !people.areNamedIn(body)) return [];
      const redacted = redactedText(body);
      return redacted === body ? [] : [{ id, body: redacted }];
    });
    if (bodies.length > 0) await replaceBodies(accountId, bodies, tx);
  }
  return lastId;
};

const receivers: Step = async ({ run: { accountId }, contactIds, people, unreadable }, position, tx) => {
  if (people.all.length === 0 && unreadable.length === 0) return null;
  const [deliveryId = NIL_ID, at = LONG_AGO] = splitPosition(position);
  const last = await clearReceiverResponses(
    accountId,
    { contactIds, tokens: people.all },
    { deliveryId, at },
    SCAN_ROWS,
    tx,
  );
  return last === null ? null : joinPosition(last.deliveryId, last.at);
};

const callbacks: Step = async ({ run: { accountId }, people }, position, tx) => {
  if (people.all.length === 0) return null;
  if (position === null) await dropReportsAbout(accountId, people.all, tx);
  const [owner = 'account', after = NIL_ID] = splitPosition(position);
  const last = await clearCallbacks(
    accountId,
    owner === 'nobody' ? owner : 'account',
    people.all,
    after,
    CALLBACK_ROWS,
    tx,
  );
  if (last !== null) return joinPosition(owner, last);
  return owner === 'nobody' ? null : joinPosition('nobody', NIL_ID);
};

/** The tables of extensions. A source that fails does not hold up the run: the sweep asks it again. */
const sources: Step = async ({ run: { accountId }, contactIds }, position, tx) => {
  const from = position === null ? 0 : contactIds.findIndex((id) => id > position);
  const page = from < 0 ? [] : contactIds.slice(from, from + CONTACTS_PER_STEP);
  if (page.length > 0) await eraseFromSources(accountId, page, tx);
  return page.length === CONTACTS_PER_STEP ? (page.at(-1) ?? null) : null;
};

/** A position has two parts; the second may contain spaces. */
const joinPosition = (first: string, second: string): string => `${first} ${second}`;
const splitPosition = (position: string | null): string[] => {
  if (position === null) return [];
  const at = position.indexOf(' ');
  return [position.slice(0, at), position.slice(at + 1)];
};
