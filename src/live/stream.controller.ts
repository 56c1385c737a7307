import { Controller, Get, Query, Req, Res, StreamableFile } from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller, personOf } from '../auth/caller.js';
import { lackedScope, RequiresSession } from '../auth/scopes.js';
import { SessionAuthenticationService } from '../auth/session-authentication.service.js';
import { forbidden } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import { StreamQuery } from './dto/stream.query.js';
import { LiveFeed } from './live-feed.js';
import { OpenStreams } from './open-streams.js';
import { StreamTopics } from './stream-topics.js';

/** How states reach pages: no cache keeps them, and no proxy waits for more. */
const HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** Live updates of the console over HTTP. */
@ApiTags('session')
@Controller('api/v1/stream')
export class StreamController {
  constructor(
    private readonly topics: StreamTopics,
    private readonly feed: LiveFeed,
    private readonly streams: OpenStreams,
    private readonly sessions: SessionAuthenticationService,
  ) {}

  @Get()
  @RequiresSession({ inAccount: true })
  @ApiOperation({
    summary: 'Watch what changes',
    description:
      'Server-sent events, for pages of this service: of each topic its state at once, and again after a change. `hello` ' +
      'comes first, with the time of the server and the version of the console. `signed_out` and `reset` end the stream: ' +
      'sign in, or open it again and read everything that is shown. Nothing is repeated, and states in between may be left ' +
      'out. A comment comes every 15 seconds.',
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: 'The events', schema: { type: 'string' } })
  @ApiForbiddenResponse({ description: 'The role does not allow to see a topic' })
  @ApiNotFoundResponse({ description: 'The record of a topic is not one of the account’s' })
  @ApiServiceUnavailableResponse({ description: 'Too many streams are open; ask for what you watch instead' })
  async watch(
    @CurrentCaller() caller: Caller,
    @Query() { topics }: StreamQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { accountId, userId } = caller;
    const wanted = this.topics.read(topics);
    const scopes = [...new Set(wanted.flatMap(({ topic }) => topic.scopes))];
    const lacked = lackedScope(caller.scopes, scopes);
    if (lacked !== null) throw forbidden(`a topic needs the scope ${lacked}`);
    for (const { topic, subject } of wanted) {
      if (subject !== null) await topic.requireSubject(accountId, subject);
    }
    const stream = this.streams.start({
      token: this.sessions.tokenOf(request) ?? '',
      accountId,
      role: personOf(request).role,
    });
    const hello = { server_time: now().toISOString(), version: this.topics.version };
    stream.send('hello', 'hello', JSON.stringify(hello));
    const ends = wanted.map(({ topic, subject, text }) =>
      this.feed.watch(topic, { accountId, userId, scopes: caller.scopes, subject }, (state) =>
        stream.send(text, topic.event, state),
      ),
    );
    stream.once('close', () => {
      for (const end of ends) end();
    });
    void reply.headers(HEADERS);
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }
}
