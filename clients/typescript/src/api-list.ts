import type { ApiAnswer } from './api-call.js';

/** Rows per request while iterating, unless the query says otherwise: as many as Parley allows. */
const MAX_LIMIT = 100;

/** Which page of a list. */
interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** One page of a list, whatever its rows are. */
interface Page {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

/** The rows of `T`, which are its field `Rows`. */
type RowOf<T, Rows extends keyof T> = T[Rows] extends readonly (infer Row)[] ? Row : never;

/**
 * A list of records. Awaiting it requests one page; iterating over it requests page after page and gives each row:
 *
 *     const { contacts, total } = await parley.contacts.list({ page: 2 });
 *     for await (const contact of parley.contacts.list()) …
 *
 * Nothing is requested before. Records that are created or deleted meanwhile move others between pages, so an
 * iteration may miss some or give them twice.
 */
export class ApiList<T extends Page, Rows extends keyof T> implements PromiseLike<T>, AsyncIterable<RowOf<T, Rows>> {
  constructor(
    private readonly rows: Rows,
    private readonly query: PageQuery,
    private readonly fetchPage: (query: PageQuery) => Promise<ApiAnswer<T>>,
  ) {}

  /** One page together with status, headers, rate limit and request id. */
  withResponse(): Promise<ApiAnswer<T>> {
    return this.fetchPage(this.query);
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives one page
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((page: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  /** Iterates over whole pages, from that of the query on. Pages have 100 rows unless the query has a limit. */
  async *pages(): AsyncGenerator<T, void, undefined> {
    const { limit = MAX_LIMIT } = this.query;
    for (let page = this.query.page ?? 1; ; page++) {
      const { data } = await this.fetchPage({ ...this.query, page, limit });
      yield data;
      if (this.rowsOf(data).length === 0 || page * limit >= data.total) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowOf<T, Rows>, void, undefined> {
    for await (const page of this.pages()) yield* this.rowsOf(page);
  }

  private rowsOf(page: T): RowOf<T, Rows>[] {
    return page[this.rows] as RowOf<T, Rows>[];
  }
}
