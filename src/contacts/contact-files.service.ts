import { Injectable } from '@nestjs/common';
import { isConflict } from '../database/passing-error.js';
import { tryAgain } from '../database/try-again.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';
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
  contactsAfter,
  openImport,
  refuseNameless,
  settleSearchIndex,
  stageContacts,
} from './contact-files.queries.js';
import { readCsv } from './csv-reader.js';
import { ImportSlots } from './import-slots.js';
import type { UploadFile } from './upload-file.js';

/** Rows of one import. */
const MOST_ROWS = 100_000;
/** So few that V8 does not put their text among the large things, which stay for long. */
const ROWS_PER_STATEMENT = 250;
/** Imports that one process works on at once: each holds a connection for seconds. */
const IMPORTS_AT_ONCE = 2;
const MOST_TRIES = 3;
const EXPORTED_PER_STATEMENT = 2000;
/** Comes before every id. */
const FIRST_ID: RecordId = '00000000-0000-0000-0000-000000000000';

/** What became of the rows of an import (D78). */
export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  /** By line. */
  readonly faults: RowFault[];
}

/** Takes contacts in from CSV files and gives them out as such. */
@Injectable()
export class ContactFilesService {
  private readonly slots = new ImportSlots(IMPORTS_AT_ONCE);

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Imports a CSV file in one transaction: a row that is wrong is reported and left out, a file that is broken changes
   * nothing (D78, D84).
   *
   * @throws DomainError `bad_request` when the file is broken, has no usable header or too many rows
   */
  import(accountId: string, file: UploadFile): Promise<ImportOutcome> {
    const once = () => this.unitOfWork.transaction((tx) => this.importWithin(accountId, file, tx));
    // Contacts that exchange numbers meanwhile may meet the import head-on.
    return this.slots.run(() => tryAgain(once, isConflict, MOST_TRIES));
  }

  /**
   * All contacts as CSV, in pieces: first the header with the first contacts, so that a failure to read any is known
   * before the answer begins.
   */
  async export(accountId: string): Promise<AsyncGenerator<string>> {
    const first = await contactsAfter(accountId, FIRST_ID, EXPORTED_PER_STATEMENT, this.unitOfWork.autocommit);
    const { autocommit } = this.unitOfWork;
    return (async function* () {
      let page = first;
      yield exportHeader() + page.map(exportLine).join('');
      for (let last = page.at(-1); page.length === EXPORTED_PER_STATEMENT && last; last = page.at(-1)) {
        page = await contactsAfter(accountId, last.id, EXPORTED_PER_STATEMENT, autocommit);
        if (page.length > 0) yield page.map(exportLine).join('');
      }
    })();
  }

  private async importWithin(accountId: string, file: UploadFile, tx: Tx): Promise<ImportOutcome> {
    await openImport(tx);
    const { staged, faults } = await this.stage(file, tx);
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
  private async stage(file: UploadFile, tx: Tx): Promise<{ staged: number; faults: RowFault[] }> {
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
      if (staged + faults.length > MOST_ROWS) throw badRequest(`the file must have at most ${MOST_ROWS} rows`);
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
        await writing;
        writing = stageContacts(rows.slice(from, from + ROWS_PER_STATEMENT), tx);
        // Awaited with the next ones; until then a failure is nobody's.
        writing.catch(() => undefined);
      }
    }
    await writing;
    if (header === null) throw badRequest('the file is empty: its first line must be a header of contact fields');
    return { staged, faults };
  }
}
