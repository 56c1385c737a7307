import { Injectable } from '@nestjs/common';
import { lackedScope } from '../auth/scopes.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { SECOND } from '../values/clock.js';
import { countBadges } from './badges.queries.js';
import { LiveTopic, type Watched } from './live-topic.js';

/** Counts for the navigation, of each person. */
@Injectable()
export class BadgesTopic extends LiveTopic {
  readonly name = 'badges';
  readonly event = 'badges';
  readonly scopes = ['conversations:read'] as const;
  readonly everyMs = SECOND;

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super();
  }

  override keyOf({ accountId, userId }: Watched): string {
    return `${accountId} ${userId}`;
  }

  async read(watched: readonly Watched[]): Promise<object[]> {
    const rows = await countBadges(
      watched.map(({ accountId }) => accountId),
      watched.map(({ userId }) => userId),
      this.unitOfWork.autocommit,
    );
    return watched.map(({ scopes }, place) => {
      const { waiting = 0, mineWaiting = 0, failingEndpoints = 0 } = rows[place] ?? {};
      const maySee = lackedScope(scopes, ['webhooks:read']) === null;
      return { waiting, mine_waiting: mineWaiting, failing_endpoints: maySee ? failingEndpoints : null };
    });
  }
}
