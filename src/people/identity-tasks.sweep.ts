import { Injectable } from '@nestjs/common';
import { withRetries } from '../database/connections/with-retries.js';
import { BackgroundUnitOfWork, type Tx } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { Contact } from './contact.entity.js';
import { findHolder, mergeContacts, takeNumber } from './contact-merge.queries.js';
import type { IdentityTask } from './identity-task.entity.js';
import {
  DUE_TASK,
  dropTask,
  findAccountsWithTasks,
  lockTask,
  postponeTask,
  saveTaskProgress,
  settleHistory,
  type TaskKey,
} from './identity-task.queries.js';
import { isIdentityRace, learnNumber } from './learning.js';
import { moveMessages } from './merged-history.queries.js';
import { lockPair, moveConversations, moveMemberships } from './merged-threads.queries.js';

/** Tasks per account and run, so that other accounts get their turn and a shutdown does not wait long. */
const MAX_TASKS = 500;
/** Attempts of a transaction that conflicts with another one about the same person. */
const MAX_TRIES = 5;

/**
 * Finishes what is left to do about contacts that turned out to be somebody whom the account knows already. Each task is
 * one short transaction that ends with the task or with how far it has come, so any worker can continue after a crash.
 */
@Injectable()
export class IdentityTasksSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(SECOND, { look: DUE_TASK });
  }

  protected async sweep(): Promise<void> {
    const accountIds = await findAccountsWithTasks(this.unitOfWork.autocommit);
    await this.forEach(
      accountIds,
      (accountId) => `account ${accountId}`,
      (accountId) => this.workFor(accountId),
    );
  }

  private async workFor(accountId: string): Promise<void> {
    for (let tasks = 0; tasks < MAX_TASKS && !this.isStopping; tasks += 1) {
      if (!(await this.doNext(accountId))) return;
    }
  }

  /** @returns whether there was a task */
  private async doNext(accountId: string): Promise<boolean> {
    let task: IdentityTask | null = null;
    const once = () =>
      this.unitOfWork.transaction(async (tx) => {
        task = await lockTask(accountId, tx);
        if (task !== null) await this.work(task, tx);
        return task !== null;
      });
    try {
      return await withRetries(once, isIdentityRace, MAX_TRIES);
    } catch (error) {
      // One that fails does not hold up the others.
      const failed = task as TaskKey | null;
      if (failed !== null) await postponeTask(failed, this.unitOfWork.autocommit);
      throw error;
    }
  }

  private async work(task: IdentityTask, tx: Tx): Promise<void> {
    const { accountId, contactId: id, kind } = task;
    const contact = await tx.manager.findOneBy(Contact, { accountId, id });
    if (contact === null || contact.erasedAt !== null) return dropTask(task, tx);
    if (kind === 'history' || kind === 'stragglers') return moveOn(task, contact, tx);
    if (contact.mergedInto === null) {
      if (kind === 'duplicate') await mergeDouble(contact, tx);
      else if (contact.waId !== null) await learnNumber(accountId, id, contact.waId, tx);
    }
    await dropTask(task, tx);
  }
}

/** Merges a contact into the one that is found by its number; it is found itself if there is none any more. */
async function mergeDouble(contact: Contact, tx: Tx): Promise<void> {
  const { accountId, id } = contact;
  if (!contact.isDuplicate) return;
  const other = await findHolder(accountId, id, [contact], tx);
  if (other === null) await takeNumber(accountId, id, tx);
  else await mergeContacts(accountId, id, other, tx);
}

/** Moves the next slice of a history; conversations and groups that were stored during the merge come last. */
async function moveOn(task: IdentityTask, { mergedInto: keptId }: Contact, tx: Tx): Promise<void> {
  const { accountId, contactId: goneId, kind, below } = task;
  if (keptId === null || !(await lockPair(accountId, keptId, goneId, tx))) return dropTask(task, tx);
  const next = await moveMessages(accountId, { keptId, goneId, below }, tx);
  if (next !== null) return saveTaskProgress(task, next, tx);
  await moveConversations(accountId, keptId, goneId, tx);
  await moveMemberships(accountId, keptId, goneId, tx);
  if (kind === 'history') await settleHistory(task, tx);
  else await dropTask(task, tx);
}
