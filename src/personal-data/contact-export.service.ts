import { Injectable } from '@nestjs/common';
import { contactNotFound } from '../contacts/contacts.errors.js';
import { ContactErasureService, type StoredPerson } from '../contacts/erasure/contact-erasure.service.js';
import { type Database, UnitOfWork } from '../database/unit-of-work.js';
import { exportFrom, sourceNames } from '../hooks/personal-data.js';
import { AnswerErasureService } from '../idempotency/answer-erasure.service.js';
import { mapInSlices } from '../runtime/slices.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import type { PersonTokens } from '../values/redaction.js';
import {
  type ExportedCallback,
  type ExportedRows,
  exportCallbacks,
  exportDeliveries,
  exportEvents,
  exportMessages,
  exportRecipients,
  exportReports,
  exportSmall,
  SMALL_TABLES,
} from './contact-export.queries.js';
import { scanEvents } from './erased-rows.queries.js';
import { callbackAbout, deliveryAbout, eventAbout } from './exported-parts.js';

/** Rows that a statement returns at most, and rows that it scans where only a few of them match. */
const PAGE_ROWS = 500;
const SCAN_ROWS = 5000;
/** Rows whose whole texts a statement searches: with the longest texts, 5,000 of them would take longer than it may. */
const SEARCHED_ROWS = 100;

/** Reads one page of a table. */
type ReadPage = (after: RecordId) => Promise<ExportedRows>;

/** Exports everything that is stored about one person. */
@Injectable()
export class ContactExportService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly erasures: ContactErasureService,
    private readonly answers: AnswerErasureService,
  ) {}

  /**
   * Streams everything stored about a contact and those merged into it as one JSON text. Includes deleted contacts.
   *
   * @throws DomainError `not_found` when the contact is unknown, erased or in another account, before the first chunk
   */
  async export(accountId: string, id: RecordId): Promise<AsyncGenerator<string>> {
    const reads = this.unitOfWork.reads(accountId);
    const person = await this.erasures.find(accountId, id, reads);
    if (person === null) throw contactNotFound(id);
    return this.pieces(accountId, person, reads);
  }

  private async *pieces(accountId: string, { contactIds, tokens }: StoredPerson, db: Database): AsyncGenerator<string> {
    const [contact, ...merged] = await exportSmall(accountId, 'contacts', contactIds, db);
    yield `{"status":"success","contact":${contact ?? 'null'},"merged_contacts":[${merged.join(',')}]`;
    for (const table of SMALL_TABLES) {
      yield* section(
        table,
        singlePage(() => exportSmall(accountId, table, contactIds, db)),
      );
    }
    const paged: readonly [string, ReadPage][] = [
      ['messages', (after) => exportMessages(accountId, contactIds, after, PAGE_ROWS, db)],
      ['recipients', (after) => exportRecipients(accountId, contactIds, after, SCAN_ROWS, db)],
      ['events', (after) => this.events(accountId, { contactIds, tokens }, after, db)],
      ['deliveries', (after) => this.deliveries(accountId, { contactIds, tokens }, after, db)],
    ];
    for (const [name, read] of paged) yield* section(name, allPages(read));
    yield* section('callbacks', this.callbacks(accountId, tokens, db));
    yield* section('stored_answers', this.answers.about(accountId, tokens, PAGE_ROWS, db));
    for (const source of sourceNames(db)) {
      const rows = await this.unitOfWork
        .writes(accountId)
        .transaction((own) => exportFrom(source, accountId, contactIds, own));
      if (rows === null) yield `,${JSON.stringify(source)}:null`;
      else
        yield* section(
          source,
          singlePage(() => Promise.resolve(rows)),
        );
    }
    yield '}';
  }

  private async events(
    accountId: string,
    { contactIds, tokens }: StoredPerson,
    after: RecordId,
    db: Database,
  ): Promise<ExportedRows> {
    const { lastId, matching, unattributed } = await scanEvents(accountId, contactIds, after, SCAN_ROWS, db);
    const ids = [...matching, ...unattributed].sort();
    const rows: string[] = [];
    for (let from = 0; from < ids.length; from += SEARCHED_ROWS) {
      const events = await exportEvents(accountId, ids.slice(from, from + SEARCHED_ROWS), tokens.all, db);
      rows.push(...(await mapInSlices(events, (event) => eventAbout(event, tokens))));
    }
    return { rows, next: lastId };
  }

  private async *callbacks(accountId: string, tokens: PersonTokens, db: Database): AsyncGenerator<string[]> {
    const about = (callbacks: readonly ExportedCallback[]) =>
      mapInSlices(callbacks, (callback) => callbackAbout(callback, tokens));
    for (let after: RecordId | null = NIL_ID; after !== null; ) {
      const { callbacks, next } = await exportCallbacks(accountId, tokens.all, after, SEARCHED_ROWS, db);
      yield await about(callbacks);
      after = next;
    }
    yield await about(await exportReports(accountId, tokens.all, db));
  }

  private async deliveries(
    accountId: string,
    { contactIds, tokens }: StoredPerson,
    after: RecordId,
    db: Database,
  ): Promise<ExportedRows> {
    const { rows, next } = await exportDeliveries(accountId, contactIds, after, SCAN_ROWS, db);
    return { rows: await mapInSlices(rows, (row) => deliveryAbout(row, tokens)), next };
  }
}

async function* singlePage(read: () => Promise<readonly string[]>): AsyncGenerator<readonly string[]> {
  yield await read();
}

async function* allPages(read: ReadPage): AsyncGenerator<readonly string[]> {
  for (let after: RecordId | null = NIL_ID; after !== null; ) {
    const { rows, next }: ExportedRows = await read(after);
    yield rows;
    after = next;
  }
}

/** Writes one list of the response; its rows are JSON texts. */
async function* section(name: string, pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = '';
  for await (const rows of pages) {
    for (const piece of piecesOf(rows)) {
      yield separator + piece;
      separator = ',';
    }
  }
  yield ']';
}

/** Characters from which on a piece of the response is sent: a page of long messages has tens of megabytes. */
const PIECE_LENGTH = 256 * 1024;

function* piecesOf(rows: readonly string[]): Generator<string> {
  let first = 0;
  let length = 0;
  for (const [index, row] of rows.entries()) {
    length += row.length;
    if (length < PIECE_LENGTH && index + 1 < rows.length) continue;
    yield rows.slice(first, index + 1).join(',');
    first = index + 1;
    length = 0;
  }
}
