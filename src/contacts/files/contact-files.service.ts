import { Injectable } from '@nestjs/common';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { isConflict } from '../../database/connections/passing-error.js';
import { withRetries } from '../../database/connections/try-again.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { badRequest } from '../../errors/domain-error.js';
import { SECOND } from '../../values/clock.js';
import type { RecordId } from '../../values/record-id.js';
import type { ContactRow } from '../contacts.queries.js';
import {
  type CsvHeader,
  exportHeader,
  exportLine,
  type ImportedContact,
  isFault,
  type RowFault,
  readHeader,
  readRow,
} from './contact-csv.js';
import {
  applyImport,
  ContactMoved,
  contactsAfter,
  openImport,
  refuseNameless,
  settleSearchIndex,
  stageContacts,
} from './contact-files.queries.js';
import { csvPieces } from './csv-pieces.js';
import { readCsv } from './csv-reader.js';
import { ImportSlots } from './import-slots.js';
import type { UploadFile } from './upload-file.js';

/** Rows of one import. */
const MAX_ROWS = 100_000;
/** So few that V8 does not keep their text among its large objects, which it collects rarely. */
const ROWS_PER_STATEMENT = 250;
/** Imports that one process runs at once: each holds a connection for seconds. */
const MAX_IMPORTS = 2;
/** How long a file waits for its turn, milliseconds. */
const MAX_WAIT_MS = 30 * SECOND;
const MAX_TRIES = 3;
/** Comes before every id. */
const FIRST_ID: RecordId = '00000000-0000-0000-0000-000000000000';

/** The outcome of an import. */
export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  /** By line. */
  readonly faults: RowFault[];
}

/** Imports and exports contacts as CSV files. */
@Injectable()
export class ContactFilesService {
  private readonly slots = new ImportSlots(MAX_IMPORTS, MAX_WAIT_MS);

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Imports a CSV file in one transaction: a row that is wrong is reported and left out, a file that is broken changes
   * nothing.
   *
   * @param gone aborted when the client goes away: a file that still waits for its turn is not imported then
   * @throws DomainError `bad_request` when the file is broken, has no usable header or too many rows; `unavailable` when
   * other imports left it no turn
   */
  import(accountId: string, file: UploadFile, gone: AbortSignal): Promise<ImportOutcome> {
    const apply = (tx: Tx) => this.importWithin(accountId, file, tx);
    const once = () => this.unitOfWork.writes(accountId).transaction(apply, { statementMs: BULK_STATEMENT_MS });
    // Contacts that swap numbers meanwhile may deadlock with the import.
    const when = (error: unknown): boolean => isConflict(error) || error instanceof ContactMoved;
    return this.slots.run(accountId, gone, () => withRetries(once, when, MAX_TRIES));
  }

  /** All contacts as a CSV file, in pieces. */
  export(accountId: string): Promise<AsyncGenerator<string>> {
    const reads = this.unitOfWork.reads(accountId);
    return csvPieces<ContactRow>({
      header: exportHeader(),
      lineOf: exportLine,
      read: (last, limit) => contactsAfter(accountId, last?.id ?? FIRST_ID, limit, reads),
    });
  }

  private async importWithin(accountId: string, file: UploadFile, tx: Tx): Promise<ImportOutcome> {
    await openImport(tx);
    const { staged, faults } = await this.stage(accountId, file, tx);
    const nameless = await refuseNameless(accountId, tx);
    const created = await applyImport(accountId, tx);
    await settleSearchIndex(tx);
    return {
      created,
      updated: staged - nameless.length - created,
      faults: [...faults, ...nameless].sort((a, b) => a.line - b.line),
    };
  }

  /** Stages the good rows; the database works on some while the next are read. */
  private async stage(accountId: string, file: UploadFile, tx: Tx): Promise<{ staged: number; faults: RowFault[] }> {
    const faults: RowFault[] = [];
    let header: CsvHeader | null = null;
    let staged = 0;
    let writing: Promise<void> = Promise.resolve();
    for await (const records of readCsv(file.read())) {
      const rows: ImportedContact[] = [];
      for (const { line, cells } of records) {
        if (header === null) {
          header = readHeader(cells);
          continue;
        }
        const row = readRow(header, cells, line);
        if (isFault(row)) faults.push(row);
        else rows.push(row);
      }
      staged += rows.length;
      if (staged + faults.length > MAX_ROWS) throw badRequest(`the file must have at most ${MAX_ROWS} rows`);
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
        await writing;
        writing = stageContacts(accountId, rows.slice(from, from + ROWS_PER_STATEMENT), tx);
        // Awaited before the next batch; until then nothing else handles a failure.
        writing.catch(() => undefined);
      }
    }
    await writing;
    if (header === null) throw badRequest('the file is empty: its first line must be a header of contact fields');
    return { staged, faults };
  }
}
