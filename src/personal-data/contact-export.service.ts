import { Injectable } from '@nestjs/common';
import { contactNotFound } from '../contacts/contacts.errors.js';
import { ContactErasureService, type StoredPerson } from '../contacts/erasure/contact-erasure.service.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { AnswerErasureService } from '../idempotency/answer-erasure.service.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import {
  type ExportedRows,
  exportCallbacks,
  exportDeliveries,
  exportEvents,
  exportMessages,
  exportRecipients,
  exportSmall,
  SMALL_TABLES,
} from './contact-export.queries.js';
import { scanEvents } from './erased-rows.queries.js';

/** Rows that a statement returns at most, and rows that it scans where only a few of them match. */
const PAGE_ROWS = 500;
const SCAN_ROWS = 5000;

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

  private async *pieces(accountId: string, { contactIds, tokens }: StoredPerson, tx: Tx): AsyncGenerator<string> {
    const [contact, ...merged] = await exportSmall(accountId, 'contacts', contactIds, tx);
    yield `{"status":"success","contact":${contact ?? 'null'},"merged_contacts":[${merged.join(',')}]`;
    for (const table of SMALL_TABLES) {
      yield* section(
        table,
        singlePage(() => exportSmall(accountId, table, contactIds, tx)),
      );
    }
    const paged: readonly [string, ReadPage][] = [
      ['messages', (after) => exportMessages(accountId, contactIds, after, PAGE_ROWS, tx)],
      ['recipients', (after) => exportRecipients(accountId, contactIds, after, SCAN_ROWS, tx)],
      ['events', (after) => this.events(accountId, { contactIds, tokens }, after, tx)],
      ['deliveries', (after) => exportDeliveries(accountId, contactIds, after, SCAN_ROWS, tx)],
    ];
    for (const [name, read] of paged) yield* section(name, allPages(read));
    yield* section(
      'callbacks',
      singlePage(() => exportCallbacks(accountId, tokens.all, tx)),
    );
    yield* section('stored_answers', this.answers.about(accountId, tokens, PAGE_ROWS, tx));
    yield '}';
  }

  private async events(
    accountId: string,
    { contactIds, tokens }: StoredPerson,
    after: RecordId,
    tx: Tx,
  ): Promise<ExportedRows> {
    const { lastId, matching, unattributed } = await scanEvents(accountId, contactIds, after, SCAN_ROWS, tx);
    const ids = [...matching, ...unattributed].sort();
    return { rows: ids.length === 0 ? [] : await exportEvents(accountId, ids, tokens.all, tx), next: lastId };
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
    if (rows.length === 0) continue;
    yield separator + rows.join(',');
    separator = ',';
  }
  yield ']';
}
