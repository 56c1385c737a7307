import { ParleyError } from '../../../../clients/typescript/src/parley-error.js';
import type { PostOptions } from '../../../../clients/typescript/src/request-options.js';
import { accountId } from '../../../data/account.js';
import { ONCE } from '../../../data/api.js';
import { isOffline } from '../../../data/connection.js';
import { hasStatus, isUnanswered } from '../../../data/failure.js';
import { hasEnded, session } from '../../../data/session.js';

/** A fault of Parley’s, which may have come after the message was handed over. */
const FAULT = 500;
/** Answers that tell what became of a request that was made before. Others come before Parley looks at its key. */
const TELLING: readonly number[] = [400, 404, 409, 413, 415, 422];

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5000;
/** For how long a request is repeated by itself without an answer, and with answers that tell nothing. Milliseconds. */
const UNANSWERED_FOR_MS = 600_000;
const UNTOLD_FOR_MS = 120_000;
/** For how long Parley surely knows a key, milliseconds. */
const KEY_LIVES_MS = 23 * 3_600_000;

/** Nobody knows what became of a request, and repeating it has not told. */
export class Unsettled extends Error {
  constructor(
    readonly attempt: Attempt,
    readonly isAnswered: boolean,
  ) {
    super('nobody knows what became of the request');
  }
}

/** A request that takes effect at most once, however often it is made: Parley knows it by its key. */
export class Attempt {
  private readonly options = { ...ONCE, idempotencyKey: crypto.randomUUID() };
  private readonly begunAt = Date.now();
  private readonly account = accountId.peek();
  private readonly user = session.peek()?.user.user_id;
  private isMade = false;

  /** @param request answers the id of the record */
  constructor(private readonly request: (options: PostOptions) => Promise<string>) {}

  /** Whether it can be made once more without taking effect twice. */
  get isRepeatable(): boolean {
    return Date.now() - this.begunAt < KEY_LIVES_MS;
  }

  /**
   * Makes the request, and repeats it while its outcome is unknown.
   *
   * @returns the id of the record
   * @throws Unsettled; anything else says that nothing was sent
   */
  async settle(): Promise<string> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        return await this.make();
      } catch (error) {
        if (!(error instanceof Unsettled) || this.isOver(error)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private async make(): Promise<string> {
    // The account and the cookie are those of the moment.
    const isTheirs = accountId.peek() === this.account && session.peek()?.user.user_id === this.user;
    if (this.isMade && (isOffline.peek() || hasEnded.peek() || !isTheirs || !this.isRepeatable)) {
      throw new Unsettled(this, false);
    }
    const isFirst = !this.isMade;
    this.isMade = true;
    try {
      return await this.request(this.options);
    } catch (error) {
      // The network owes the answer: the thread has the message, and says what becomes of it.
      if (hasStatus(error, 504) && error.messageId !== null) return error.messageId;
      if (isFirst ? isUnanswered(error) || hasStatus(error, FAULT) : !tells(error)) {
        throw new Unsettled(this, error instanceof ParleyError && error.status !== null);
      }
      throw error;
    }
  }

  private isOver({ isAnswered }: Unsettled): boolean {
    const time = Date.now() - this.begunAt;
    return session.peek() === null || time > (isAnswered ? UNTOLD_FOR_MS : UNANSWERED_FOR_MS);
  }
}

/** Whether the answer to a repetition says what became of the request. */
function tells(error: unknown): boolean {
  if (!(error instanceof ParleyError)) return true;
  // Only a closed window is refused without a code; the first request is still in progress where it says how long to wait.
  if (error.status === 403) return error.code === null;
  return hasStatus(error, ...TELLING) && error.retryAfterSeconds === null;
}
