import { Injectable } from '@nestjs/common';
import { badRequest } from '../errors/domain-error.js';
import { consoleVersion } from '../runtime/console-files.js';
import { BadgesTopic } from './badges.topic.js';
import { CampaignTopic } from './campaign.topic.js';
import { CampaignsTopic } from './campaigns.topic.js';
import { InboxTopic } from './inbox.topic.js';
import type { LiveTopic } from './live-topic.js';
import { ThreadTopic } from './thread.topic.js';

const MAX_TOPICS = 10;
/** Characters of a topic that a message repeats. */
const MAX_SAID = 64;

/** A topic as a request names it. */
export interface WantedTopic {
  readonly topic: LiveTopic;
  readonly subject: string | null;
  readonly text: string;
}

/** The topics that there are. */
@Injectable()
export class StreamTopics {
  private readonly byName: ReadonlyMap<string, LiveTopic>;
  /** The version of the console that this process serves; null without one. */
  readonly version = consoleVersion();

  constructor(
    campaign: CampaignTopic,
    campaigns: CampaignsTopic,
    inbox: InboxTopic,
    thread: ThreadTopic,
    badges: BadgesTopic,
  ) {
    const topics: readonly LiveTopic[] = [campaign, campaigns, inbox, thread, badges];
    this.byName = new Map(topics.map((topic) => [topic.name, topic]));
  }

  /** @throws DomainError 400 for a topic that does not exist, and for more than ten */
  read(text: string): WantedTopic[] {
    const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
    if (names.length === 0) throw badRequest(`topics must name one of ${[...this.byName.keys()].join(', ')}`);
    if (names.length > MAX_TOPICS) throw badRequest(`topics must name at most ${MAX_TOPICS} (got ${names.length})`);
    return names.map((name) => this.topicOf(name));
  }

  private topicOf(text: string): WantedTopic {
    const colon = text.indexOf(':');
    const name = colon < 0 ? text : text.slice(0, colon);
    const topic = this.byName.get(name);
    const said = text.slice(0, MAX_SAID);
    if (topic === undefined) {
      throw badRequest(`topics must be of ${[...this.byName.values()].map(formOf).join(', ')} (got ${said})`);
    }
    if (topic.form === null && colon < 0) return { topic, subject: null, text };
    const subject = topic.form === null || colon < 0 ? null : topic.readSubject(text.slice(colon + 1));
    if (subject === null) throw badRequest(`topics has ${said}, which must be ${formOf(topic)}`);
    return { topic, subject, text };
  }
}

const formOf = ({ name, form }: LiveTopic): string => (form === null ? name : `${name}:${form}`);
