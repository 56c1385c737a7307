import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';
import { noSuchAccount } from './account.errors.js';
import { creditWallet, findBalance, MAX_CREDITS } from './wallet.queries.js';

/** Tops up wallets, up to {@link MAX_CREDITS}, and reads their balance: the sum of the ledger. */
@Injectable()
export class WalletsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * @param amount whole credits, at least 1
   * @returns the new balance
   * @throws DomainError `not_found` for an unknown account, `bad_request` when the wallet would hold too much
   */
  credit(accountId: RecordId, amount: number, tx?: Tx): Promise<number> {
    return tx === undefined
      ? this.unitOfWork.transaction((own) => this.creditWithin(accountId, amount, own))
      : this.creditWithin(accountId, amount, tx);
  }

  /** @throws DomainError `not_found` for an unknown account */
  async balance(accountId: RecordId, tx: Tx = this.unitOfWork.reads(accountId)): Promise<number> {
    const balance = await findBalance(accountId, tx);
    if (balance === null) throw noSuchAccount(accountId);
    return balance;
  }

  private async creditWithin(accountId: RecordId, amount: number, tx: Tx): Promise<number> {
    const balance = await creditWallet(accountId, amount, tx);
    if (balance !== null) return balance;
    const present = await this.balance(accountId, tx);
    throw badRequest(`a wallet holds at most ${MAX_CREDITS} credits (balance ${present}, adding ${amount})`);
  }
}
