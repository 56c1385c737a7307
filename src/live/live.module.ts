import { Room } from '../manifest/room.js';
import { BadgesTopic } from './badges.topic.js';
import { CampaignTopic } from './campaign.topic.js';
import { CampaignsTopic } from './campaigns.topic.js';
import { InboxTopic } from './inbox.topic.js';
import { LiveFeed } from './live-feed.js';
import { OpenStreams } from './open-streams.js';
import { StreamController } from './stream.controller.js';
import { StreamTopics } from './stream-topics.js';
import { ThreadTopic } from './thread.topic.js';

/** Tells pages of the console what changes. It only reads, and only what somebody watches. */
@Room({
  controllers: [StreamController],
  providers: [LiveFeed, OpenStreams, StreamTopics, BadgesTopic, CampaignTopic, CampaignsTopic, InboxTopic, ThreadTopic],
})
export class LiveModule {}
