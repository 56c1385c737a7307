import { Injectable } from '@nestjs/common';
import { pagedRows } from '../database/sql/page-sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { findStanding, readLedger } from './consent-ledger.queries.js';
import type { DecidedBy, Evidence } from './decision.js';
import { identityHashesOf } from './identity-hashes.service.js';
import { evidenceOf, findSuppressions } from './suppression.queries.js';

/** A decision as the ledger keeps it. */
export interface EnteredDecision {
  readonly optedIn: boolean;
  readonly by: DecidedBy;
  readonly at: Date;
  readonly evidence: Evidence | null;
}

/** Whether a person may get marketing messages, and why. */
export interface ConsentStanding {
  /** Null for people without a contact: they were erased, or never were one. */
  readonly contactId: RecordId | null;
  readonly optedIn: boolean;
  /** The decision in force; null when there is none. */
  readonly decision: EnteredDecision | null;
}

/** Reads the ledger of consent; {@link ConsentLedger} writes it. */
@Injectable()
export class ConsentService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** A page of the decisions about a contact, the latest first. */
  async history(accountId: string, contactId: RecordId, page: Page): Promise<Paged<EnteredDecision>> {
    const found = await readLedger(accountId, contactId, page, this.unitOfWork.reads(accountId));
    const { rows, ...paging } = pagedRows(found, 'decidedAt', page);
    const entered = rows.flatMap((row): EnteredDecision[] => {
      const { optedIn, decidedBy: by, decidedAt: at } = row;
      return at === null ? [] : [{ optedIn, by, at, evidence: evidenceOf(row.evidenceKind, row.evidenceId) }];
    });
    return { ...paging, rows: entered };
  }

  /**
   * Whether the person with a number may get marketing messages, whether or not they are a contact.
   *
   * @throws DomainError 503 when they are no contact and the hash key cannot be decrypted
   */
  async standing(accountId: string, number: PhoneNumber): Promise<ConsentStanding> {
    const tx = this.unitOfWork.autocommit;
    const found = await findStanding(accountId, number, tx);
    if (found !== null) {
      const { contactId, optedIn, decidedBy: by, decidedAt: at } = found;
      const evidence = evidenceOf(found.evidenceKind, found.evidenceId);
      return { contactId, optedIn, decision: by === null || at === null ? null : { optedIn, by, at, evidence } };
    }
    const hashes = identityHashesOf(tx).ofAll(accountId, [number], 'nothing is known about this number');
    const [optOut = null] = (await findSuppressions(accountId, hashes, tx)).slice(-1);
    if (optOut === null || optOut.at === null) return { contactId: null, optedIn: true, decision: null };
    const { by, at, evidence } = optOut;
    return { contactId: null, optedIn: false, decision: { optedIn: false, by, at, evidence } };
  }
}
