import type { ApiAnswer } from './api-call.js';

/** Rows per request while iterating, unless the query says otherwise: as many as Parley allows. */
const MAX_LIMIT = 100;

/** Which page of a list. */
interface PageQuery {
  readonly page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** One page of a list, whatever its rows are. */
interface Page {
  readonly total: number;
  readonly next_cursor?: string | null;
}

/** The rows of `T`, which are its field `Rows`. */
type RowOf<T, Rows extends keyof T> = T[Rows] extends readonly (infer Row)[] ? Row : never;

/**
 * A list of records. Awaiting it requests one page; iterating over it requests page after page and gives each row:
 *
 *     const { contacts, total } = await parley.contacts.list({ page: 2 });
 *     for await (const contact of parley.contacts.list()) …
 *
 * Nothing is requested before. An iteration gives each record once, whatever is created or deleted meanwhile. Only
 * lists whose order changes can miss some: iterate over conversations with `order: 'created'`.
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

  /**
   * Iterates over whole pages. Pages have 100 rows unless the query has a limit. A query with a `page` counts pages from
   * that one on, and rows that move meanwhile may be missed or given twice.
   */
  async *pages(): AsyncGenerator<T, void, undefined> {
    const { limit = MAX_LIMIT, cursor: start = '', page: first, ...query } = this.query;
    if (first !== undefined) return yield* this.numberedPages(first, limit);
    for (let cursor: string | null | undefined = start; typeof cursor === 'string'; ) {
      const { data }: ApiAnswer<T> = await this.fetchPage({ ...query, cursor, limit });
      yield data;
      cursor = data.next_cursor;
    }
  }

  private async *numberedPages(first: number, limit: number): AsyncGenerator<T, void, undefined> {
    for (let page = first; ; page++) {
      const { data } = await this.fetchPage({ ...this.query, page, limit });
      const { length } = this.rowsOf(data);
      // After a full page there may be no more. The total does not say so: it is only counted up to a limit.
      if (length > 0 || page === first) yield data;
      if (length < limit) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowOf<T, Rows>, void, undefined> {
    for await (const page of this.pages()) yield* this.rowsOf(page);
  }

  private rowsOf(page: T): RowOf<T, Rows>[] {
    return page[this.rows] as RowOf<T, Rows>[];
  }
}
