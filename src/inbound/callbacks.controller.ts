import { timingSafeEqual } from 'node:crypto';
import { Body, Controller, Get, Headers, HttpCode, Inject, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/scopes.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { forbidden } from '../errors/domain-error.js';
import { AcceptsBody } from '../http/request-body.interceptor.js';
import { CallbackBodyInterceptor, MAX_CALLBACK_BYTES } from './callback-body.interceptor.js';
import { SIGNATURE_HEADER } from './callback-signature.js';
import { CallbacksService } from './callbacks.service.js';

/** HTTP routes for the network's callbacks, which are authenticated by signature instead of an API key. */
@ApiTags('network')
@Controller('network/callbacks')
export class CallbacksController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly callbacks: CallbacksService,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    summary: 'Confirm the callback URL to the network',
    description: 'The network calls this once, when the callback URL is registered.',
  })
  @ApiQuery({ name: 'hub.mode', schema: { type: 'string', enum: ['subscribe'] } })
  @ApiQuery({ name: 'hub.verify_token', schema: { type: 'string' }, description: 'The `NETWORK_VERIFY_TOKEN`' })
  @ApiQuery({ name: 'hub.challenge', schema: { type: 'string' }, required: false })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'The challenge, as it came', schema: { type: 'string' } })
  @ApiForbiddenResponse({ description: 'The mode is not `subscribe`, or the verify token does not match' })
  confirm(
    @Query('hub.mode') mode: unknown,
    @Query('hub.verify_token') token: unknown,
    @Query('hub.challenge') challenge: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    if (mode !== 'subscribe' || !constantTimeEqual(String(token ?? ''), this.environment.network.verifyToken)) {
      throw forbidden('the verify token does not match');
    }
    reply.header('content-type', 'text/plain; charset=utf-8');
    return String(challenge ?? '');
  }

  @Post()
  @HttpCode(200)
  @Public()
  @AcceptsBody({ as: 'stream', limit: MAX_CALLBACK_BYTES })
  @UseInterceptors(CallbackBodyInterceptor)
  @ApiOperation({
    summary: 'Receive a callback from the network',
    description: 'It is acknowledged once it is stored; the network repeats what is not acknowledged.',
  })
  @ApiHeader({
    name: SIGNATURE_HEADER,
    required: true,
    description: 'HMAC-SHA256 over the raw body, keyed with the secret of the app',
    schema: { type: 'string', pattern: '^sha256=[0-9a-fA-F]{64}$' },
  })
  @ApiOkResponse({
    schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', enum: ['success'] } } },
  })
  @ApiUnauthorizedResponse({ description: 'The signature is missing, malformed or wrong; nothing is stored' })
  @ApiServiceUnavailableResponse({ description: 'The callback could not be stored' })
  async receive(
    @Body() bytes: Buffer,
    @Headers(SIGNATURE_HEADER) signature: string | undefined,
  ): Promise<{ status: 'success' }> {
    await this.callbacks.receive(bytes, signature);
    return { status: 'success' };
  }
}

const constantTimeEqual = (found: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(found), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};
