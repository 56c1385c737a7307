import { Injectable } from '@nestjs/common';
import { contactNotFound } from '../contacts/contacts.errors.js';
import { ContactErasureService, type Person } from '../contacts/erasure/contact-erasure.service.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { AnswerErasureService } from '../idempotency/answer-erasure.service.js';
import type { RecordId } from '../values/record-id.js';
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
import { FIRST_ID } from './erasure-run.queries.js';

/** Rows that one statement returns at most, and those that it looks through where few of them are returned. */
const FEW = 500;
const MANY = 5000;

/** Pages of a table that is read in pieces. */
type Read = (after: RecordId) => Promise<ExportedRows>;

/** Tells everything that is stored about one person. */
@Injectable()
export class ContactExportService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly erasures: ContactErasureService,
    private readonly answers: AnswerErasureService,
  ) {}

  /**
   * All that is stored about a contact, deleted or not, and about those that were merged into it, as one JSON text in
   * pieces.
   *
   * @throws DomainError `not_found` when it is unknown, foreign or erased, before the first piece
   */
  async export(accountId: string, id: RecordId): Promise<AsyncGenerator<string>> {
    const reads = this.unitOfWork.reads(accountId);
    const person = await this.erasures.find(accountId, id, reads);
    if (person === null) throw contactNotFound(id);
    return this.pieces(accountId, person, reads);
  }

  private async *pieces(accountId: string, { contactIds, tokens }: Person, tx: Tx): AsyncGenerator<string> {
    const [contact, ...merged] = await exportSmall(accountId, 'contacts', contactIds, tx);
    yield `{"status":"success","contact":${contact ?? 'null'},"merged_contacts":[${merged.join(',')}]`;
    for (const table of SMALL_TABLES) {
      yield* section(
        table,
        once(() => exportSmall(accountId, table, contactIds, tx)),
      );
    }
    const paged: readonly [string, Read][] = [
      ['messages', (after) => exportMessages(accountId, contactIds, after, FEW, tx)],
      ['recipients', (after) => exportRecipients(accountId, contactIds, after, MANY, tx)],
      ['events', (after) => this.events(accountId, { contactIds, tokens }, after, tx)],
      ['deliveries', (after) => exportDeliveries(accountId, contactIds, after, MANY, tx)],
    ];
    for (const [name, read] of paged) yield* section(name, allPages(read));
    yield* section(
      'callbacks',
      once(() => exportCallbacks(accountId, tokens.all, tx)),
    );
    yield* section('stored_answers', this.answers.about(accountId, tokens, FEW, tx));
    yield '}';
  }

  private async events(
    accountId: string,
    { contactIds, tokens }: Person,
    after: RecordId,
    tx: Tx,
  ): Promise<ExportedRows> {
    const { lastId, told, unknown } = await scanEvents(accountId, contactIds, after, MANY, tx);
    const ids = [...told, ...unknown].sort();
    return { rows: ids.length === 0 ? [] : await exportEvents(accountId, ids, tokens.all, tx), next: lastId };
  }
}

async function* once(read: () => Promise<readonly string[]>): AsyncGenerator<readonly string[]> {
  yield await read();
}

async function* allPages(read: Read): AsyncGenerator<readonly string[]> {
  for (let after: RecordId | null = FIRST_ID; after !== null; ) {
    const { rows, next }: ExportedRows = await read(after);
    yield rows;
    after = next;
  }
}

/** One list of the answer; its rows are JSON texts. */
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
