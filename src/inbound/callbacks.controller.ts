import {
  applyDecorators,
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiHeader,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiQuery,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/scopes.js';
import { AcceptsBody } from '../http/accepted-body.js';
import { CallbackAppsService } from './callback-apps.service.js';
import { CallbackBodyInterceptor, MAX_CALLBACK_BYTES } from './callback-body.interceptor.js';
import { SIGNATURE_HEADER } from './callback-signature.js';
import { CallbacksService } from './callbacks.service.js';

const OfApp = () =>
  applyDecorators(
    ApiParam({
      name: 'app_id',
      description: 'Meta’s id of an app that `apps add` has added',
      schema: { type: 'string', pattern: '^[0-9]+$', example: '670843887433847' },
    }),
    ApiNotFoundResponse({ description: 'There is no such app' }),
  );

/** What is the same for the callback URLs of all apps. */
const Confirms = (whose: string, token: string) =>
  applyDecorators(
    Public(),
    ApiOperation({
      summary: `Confirm the callback URL of ${whose} to the network`,
      description: 'The network calls this once, when the callback URL is registered.',
    }),
    ApiQuery({ name: 'hub.mode', schema: { type: 'string', enum: ['subscribe'] } }),
    ApiQuery({ name: 'hub.verify_token', schema: { type: 'string' }, description: token }),
    ApiQuery({ name: 'hub.challenge', schema: { type: 'string' }, required: false }),
    ApiProduces('text/plain'),
    ApiOkResponse({ description: 'The challenge, as it came', schema: { type: 'string' } }),
    ApiForbiddenResponse({ description: 'The mode is not `subscribe`, or the verify token does not match' }),
  );

const Receives = (whose: string) =>
  applyDecorators(
    HttpCode(200),
    Public(),
    AcceptsBody({ as: 'stream', limit: MAX_CALLBACK_BYTES, anyEncoding: true }),
    UseInterceptors(CallbackBodyInterceptor),
    ApiOperation({
      summary: `Receive a callback of ${whose} from the network`,
      description:
        'It is acknowledged once it is stored; the network repeats what is not acknowledged. What it says about phones ' +
        'of another app has no effect.',
    }),
    ApiHeader({
      name: SIGNATURE_HEADER,
      required: true,
      description: 'HMAC-SHA256 over the raw body, keyed with the secret of the app',
      schema: { type: 'string', pattern: '^sha256=[0-9a-fA-F]{64}$' },
    }),
    ApiOkResponse({
      schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', enum: ['success'] } } },
    }),
    ApiUnauthorizedResponse({ description: 'The signature is missing, malformed or wrong; nothing is stored' }),
    ApiServiceUnavailableResponse({ description: 'The callback could not be stored' }),
  );

/** HTTP routes for the network's callbacks, which are authenticated by signature instead of an API key. */
@ApiTags('network')
@Controller('network/callbacks')
export class CallbacksController {
  constructor(
    private readonly apps: CallbackAppsService,
    private readonly callbacks: CallbacksService,
  ) {}

  @Get()
  @Confirms('the app in the environment', 'The `NETWORK_VERIFY_TOKEN`')
  confirm(
    @Query('hub.mode') mode: unknown,
    @Query('hub.verify_token') token: unknown,
    @Query('hub.challenge') challenge: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.answer(null, { mode, token, challenge }, reply);
  }

  @Get(':app_id')
  @OfApp()
  @Confirms('another app', 'The verify token of the app')
  confirmApp(
    @Param('app_id') appId: string,
    @Query('hub.mode') mode: unknown,
    @Query('hub.verify_token') token: unknown,
    @Query('hub.challenge') challenge: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.answer(appId, { mode, token, challenge }, reply);
  }

  @Post()
  @Receives('the app in the environment')
  async receive(
    @Body() bytes: Buffer,
    @Headers(SIGNATURE_HEADER) signature: string | undefined,
    @Req() { id }: FastifyRequest,
  ): Promise<{ status: 'success' }> {
    await this.callbacks.receive(bytes, signature, id, null);
    return { status: 'success' };
  }

  @Post(':app_id')
  @OfApp()
  @Receives('another app')
  async receiveOfApp(
    @Param('app_id') appId: string,
    @Body() bytes: Buffer,
    @Headers(SIGNATURE_HEADER) signature: string | undefined,
    @Req() { id }: FastifyRequest,
  ): Promise<{ status: 'success' }> {
    await this.callbacks.receive(bytes, signature, id, appId);
    return { status: 'success' };
  }

  private async answer(
    appId: string | null,
    { mode, token, challenge }: { readonly mode: unknown; readonly token: unknown; readonly challenge: unknown },
    reply: FastifyReply,
  ): Promise<string> {
    await this.apps.confirm(appId, mode, token);
    reply.header('content-type', 'text/plain; charset=utf-8');
    return String(challenge ?? '');
  }
}
