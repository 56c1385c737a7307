import { Injectable } from '@nestjs/common';
import { badRequest } from '../errors/domain-error.js';
import { consoleVersion } from '../runtime/console-files.js';
import { isRecordId } from '../values/record-id.js';
import { BadgesTopic } from './badges.topic.js';
import { CampaignTopic } from './campaign.topic.js';
import { CampaignsTopic } from './campaigns.topic.js';
import type { LiveTopic } from './live-topic.js';

const MAX_TOPICS = 10;

/** A topic as a request names it. */
export interface WantedTopic {
  readonly topic: LiveTopic;
  readonly subjectId: string | null;
  readonly text: string;
}

/** The topics that there are. */
@Injectable()
export class StreamTopics {
  private readonly byName: ReadonlyMap<string, LiveTopic>;
  /** The version of the console that this process serves; null without one. */
  readonly version = consoleVersion();

  constructor(campaign: CampaignTopic, campaigns: CampaignsTopic, badges: BadgesTopic) {
    this.byName = new Map([campaign, campaigns, badges].map((topic) => [topic.name, topic]));
  }

  /** @throws DomainError 400 for a topic that does not exist, and for more than ten */
  read(text: string): WantedTopic[] {
    const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
    if (names.length === 0) throw badRequest(`topics must name one of ${[...this.byName.keys()].join(', ')}`);
    if (names.length > MAX_TOPICS) throw badRequest(`topics must name at most ${MAX_TOPICS} (got ${names.length})`);
    return names.map((name) => this.topicOf(name));
  }

  private topicOf(text: string): WantedTopic {
    const [name = '', ...parameters] = text.split(':');
    const topic = this.byName.get(name);
    const known = [...this.byName.values()].map((each) => (each.hasSubject ? `${each.name}:<id>` : each.name));
    if (topic === undefined) throw badRequest(`topics must be of ${known.join(', ')} (got ${text.slice(0, 64)})`);
    const [subjectId = null] = parameters;
    const fits = topic.hasSubject ? parameters.length === 1 && isRecordId(subjectId ?? '') : parameters.length === 0;
    if (!fits)
      throw badRequest(`topics has ${text.slice(0, 64)}, which must be ${topic.hasSubject ? `${name}:<id>` : name}`);
    return { topic, subjectId: subjectId?.toLowerCase() ?? null, text };
  }
}
