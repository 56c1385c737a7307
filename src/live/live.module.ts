import { Room } from '../manifest/room.js';
import { LiveFeed } from './live-feed.js';
import { OpenStreams } from './open-streams.js';
import { StreamController } from './stream.controller.js';
import { StreamTopics } from './stream-topics.js';
import { BadgesTopic } from './topics/badges.topic.js';
import { CampaignTopic } from './topics/campaign.topic.js';
import { CampaignsTopic } from './topics/campaigns.topic.js';

/** Tells pages of the console what changes. It only reads, and only what somebody watches. */
@Room({
  controllers: [StreamController],
  providers: [LiveFeed, OpenStreams, StreamTopics, BadgesTopic, CampaignTopic, CampaignsTopic],
})
export class LiveModule {}
