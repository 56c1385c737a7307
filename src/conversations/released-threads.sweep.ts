import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { endLeaving, findLeavingAgents, LEAVING_AGENT } from './released-thread.queries.js';
import { ReleasedThreadsService } from './released-threads.service.js';

/**
 * Releases the open conversations of deactivated agents, account by account. Nothing is assigned to such an agent
 * meanwhile, except by a reopening for the account's owner. Resolved conversations keep their assignee; they lose one who
 * is not active when the customer writes.
 */
@Injectable()
export class ReleasedThreadsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly threads: ReleasedThreadsService,
  ) {
    super(SECOND, { look: LEAVING_AGENT });
  }

  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const agents = await findLeavingAgents(autocommit);
    const left = new Map(agents.map(({ userId, accountIds }) => [userId, new Set(accountIds)]));
    await this.forEach(
      agents.flatMap(({ userId, accountIds }) => accountIds.map((accountId) => ({ userId, accountId }))),
      ({ userId, accountId }) => `agent ${userId} in account ${accountId}`,
      async ({ userId, accountId }) => {
        const isDone = await this.threads.release(accountId, userId, () => this.isStopping);
        if (isDone) left.get(userId)?.delete(accountId);
      },
    );
    await this.forEach(
      agents.filter(({ userId }) => left.get(userId)?.size === 0),
      ({ userId }) => `agent ${userId}`,
      ({ userId }) => endLeaving(userId, autocommit),
    );
  }
}
