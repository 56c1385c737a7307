import { Injectable } from '@nestjs/common';
import { importEvidence } from '../../consent/request-evidence.js';
import { BULK_STATEMENT_MS } from '../../database/connections/deadlines.js';
import { isConflict } from '../../database/connections/transient-errors.js';
import { withRetries } from '../../database/connections/with-retries.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { badRequest } from '../../errors/domain-error.js';
import type { ContactRow } from '../../people/contact-columns.js';
import { knownNumbers } from '../../people/known-numbers.queries.js';
import { SECOND } from '../../values/clock.js';
import type { Country } from '../../values/numbering-plans.js';
import { NIL_ID } from '../../values/record-id.js';
import {
  type CsvHeader,
  exportHeader,
  exportLine,
  type ImportedContact,
  isFault,
  isKnownColumn,
  type ReadRow,
  type RowFault,
  readHeader,
  readRow,
  rulesOf,
  settleRow,
} from './contact-csv.js';
import {
  applyImport,
  beginImport,
  contactsAfter,
  flushSearchIndex,
  type KeptOptOut,
  keepOpen,
  NumberMoved,
  rejectNamelessRows,
  stageContacts,
} from './contact-files.queries.js';
import { encodingOf, type FileEncoding } from './csv-encoding.js';
import { csvPieces } from './csv-pieces.js';
import { type CsvColumns, readCsv } from './csv-reader.js';
import { LOOK_BYTES, otherKindOf } from './file-kind.js';
import { ImportSlots } from './import-slots.js';
import type { UploadFile } from './upload-file.js';

/** Rows of one import. */
const MAX_ROWS = 100_000;
/** Small enough that V8 does not put the JSON text in large-object space, which it rarely collects. */
const ROWS_PER_STATEMENT = 250;
/** Concurrent imports per process; each holds a connection for seconds. */
const MAX_IMPORTS = 2;
/** How long a file waits to be imported, milliseconds. */
const MAX_WAIT_MS = 30 * SECOND;
const MAX_TRIES = 3;
/** How long the transaction of an import waits for rows to store before it shows that it goes on, milliseconds. */
const MAX_IDLE_MS = SECOND;
/**
 * Faults in an answer. Answers are stored for repeated requests, and whoever reads stored answers must be able to hold
 * several of them in memory.
 */
const MAX_FAULTS = 1000;

/** A file of contacts, before it is read. */
interface ContactFile {
  readonly upload: UploadFile;
  readonly encoding: FileEncoding;
  /** Where numbers without `+` or `00` may be dialled; null: nowhere. */
  readonly country: Country | null;
}

/** The outcome of an import. */
export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  /** Rows that were not imported. */
  readonly failed: number;
  /** The first of them, in line order; at most {@link MAX_FAULTS}. */
  readonly faults: RowFault[];
  /** Rows whose opt-in was not applied, in line order; at most {@link MAX_FAULTS}. */
  readonly keptOptOuts: readonly KeptOptOut[];
}

/** The rows of a file: those staged for import, and those at fault. */
interface Staged extends Pick<ImportOutcome, 'failed' | 'faults'> {
  readonly staged: number;
}

/** Imports and exports contacts as CSV files. */
@Injectable()
export class ContactFilesService {
  private readonly slots = new ImportSlots(MAX_IMPORTS, MAX_WAIT_MS);

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Imports a CSV file in one transaction. Invalid rows are reported and skipped; a file without a header that can be
   * read changes nothing.
   *
   * @param country where numbers without `+` or `00` may be dialled; null: nowhere
   * @param signal aborted when the client disconnects; a file that is still waiting is then not imported
   * @throws DomainError `bad_request` when the file is no CSV, has no usable header or too many rows; `unavailable` when
   * other imports keep it waiting too long
   */
  async import(
    accountId: string,
    file: UploadFile,
    country: Country | null,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const { head, tail } = await file.ends(LOOK_BYTES);
    const kind = await otherKindOf(head, tail);
    if (kind !== null) throw badRequest(`the file is not CSV but ${kind}`);
    return this.slots.run(accountId, signal, async () => {
      const contacts = { upload: file, encoding: await encodingOf(() => file.read()), country };
      const apply = (tx: Tx) => this.importWithin(accountId, contacts, tx);
      const once = () => this.unitOfWork.writes(accountId).transaction(apply, { statementMs: BULK_STATEMENT_MS });
      return withRetries(once, isRetryable, MAX_TRIES);
    });
  }

  /** Streams all contacts as a CSV file. */
  export(accountId: string): Promise<AsyncGenerator<string>> {
    const reads = this.unitOfWork.reads(accountId);
    return csvPieces<ContactRow>({
      header: exportHeader(),
      lineOf: exportLine,
      read: (last, limit) => contactsAfter(accountId, last?.id ?? NIL_ID, limit, reads),
    });
  }

  private async importWithin(accountId: string, file: ContactFile, tx: Tx): Promise<ImportOutcome> {
    await beginImport(tx);
    const { staged, failed, faults } = await this.stage(accountId, file, tx);
    const nameless = await rejectNamelessRows(accountId, tx);
    const { created, keptOptOuts } = await applyImport(accountId, importEvidence(), tx);
    await flushSearchIndex(tx);
    return {
      created,
      updated: staged - nameless.length - created,
      failed: failed + nameless.length,
      faults: [...faults, ...nameless].sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS),
      keptOptOuts: keptOptOuts.slice(0, MAX_FAULTS),
    };
  }

  /** Stages the valid rows; the database stores one batch while the next is read. */
  private async stage(accountId: string, { upload, encoding, country }: ContactFile, tx: Tx): Promise<Staged> {
    const table = await readCsv(upload.read(), encoding, columnsOf(country));
    if (table === null) throw badRequest('the file is empty: its first line must be a header of contact fields');
    const faults: RowFault[] = [];
    let failed = 0;
    let staged = 0;
    let writing: Promise<void> = Promise.resolve();
    let wroteAt = performance.now();
    for await (const read of table.rows) {
      const rows: ImportedContact[] = [];
      for (const row of await settleRows(accountId, read, country, tx)) {
        if (!isFault(row)) {
          rows.push(row);
          continue;
        }
        failed += 1;
        if (failed <= MAX_FAULTS) faults.push(row);
      }
      staged += rows.length;
      if (staged + failed > MAX_ROWS) throw badRequest(`the file must have at most ${MAX_ROWS} rows`);
      if (rows.length > 0) wroteAt = performance.now();
      else if (performance.now() - wroteAt > MAX_IDLE_MS) {
        await writing;
        await keepOpen(tx);
        wroteAt = performance.now();
      }
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
        await writing;
        writing = stageContacts(accountId, rows.slice(from, from + ROWS_PER_STATEMENT), tx);
        // Awaited before the next batch; this prevents an unhandled rejection until then.
        writing.catch(() => undefined);
      }
    }
    await writing;
    return { staged, failed, faults };
  }
}

/** Contacts that swap numbers may deadlock with an import. */
const isRetryable = (error: unknown): boolean => isConflict(error) || error instanceof NumberMoved;

const columnsOf = (country: Country | null): CsvColumns<CsvHeader, ReadRow | RowFault> => ({
  isKnown: isKnownColumn,
  headerOf: readHeader,
  rulesOf: (header) => rulesOf(header, country),
  rowOf: (header, record) => readRow(header, record, country),
});

/** The rows with the numbers that they mean, in their order; asks the database only about doubtful numbers. */
async function settleRows(
  accountId: string,
  read: readonly (ReadRow | RowFault)[],
  country: Country | null,
  tx: Tx,
): Promise<(ImportedContact | RowFault)[]> {
  const doubtful = read.flatMap((row) => (isFault(row) || row.ifKnown === null ? [] : [row.ifKnown]));
  const known = await knownNumbers(accountId, doubtful, tx);
  return read.map((row) => (isFault(row) ? row : settleRow(row, known, country)));
}
