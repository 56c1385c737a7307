import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { noSuchAccount } from './account.errors.js';
import { creditWallet, findBalance, MOST_CREDITS } from './wallet.queries.js';

/** Tops up wallets and tells what is in them. The balance is always the sum of the ledger (D30). */
@Injectable()
export class Wallets {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * @param amount whole credits, at least 1
   * @returns the new balance
   * @throws DomainError `not_found` for an unknown account, `bad_request` when the wallet would hold too much
   */
  async credit(accountId: RecordId, amount: number, tx: Tx = this.unitOfWork.autocommit): Promise<number> {
    const balance = await creditWallet(accountId, newRecordId(), amount, tx);
    if (balance !== null) return balance;
    const present = await this.balance(accountId, tx);
    throw badRequest(
      `a wallet holds at most ${MOST_CREDITS} credits (it holds ${present}, ${amount} were to be added)`,
    );
  }

  /** @throws DomainError `not_found` for an unknown account */
  async balance(accountId: RecordId, tx: Tx = this.unitOfWork.autocommit): Promise<number> {
    const balance = await findBalance(accountId, tx);
    if (balance === null) throw noSuchAccount(accountId);
    return balance;
  }
}
