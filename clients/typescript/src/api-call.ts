import type { ResponseDetails } from './response-details.js';

/** The body of an answer, and what the answer says besides. */
export interface ApiAnswer<T> {
  readonly data: T;
  readonly response: ResponseDetails;
}

/** A call on its way: a promise of the answer's body, or with {@link withResponse} of its headers too. */
export class ApiCall<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiCall';

  constructor(private readonly answer: Promise<ApiAnswer<T>>) {}

  /** The body together with status, headers, rate limit and request id. */
  withResponse(): Promise<ApiAnswer<T>> {
    return this.answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a call gives the body
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((data: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.answer.then(({ data }) => data).finally(onFinally);
  }
}
