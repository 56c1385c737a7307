import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../audit/request-actor.js';
import { CurrentPerson, type KnownSession, type Person } from '../auth/caller.js';
import { callerAddress } from '../auth/caller-address.js';
import { scopesOf } from '../auth/roles.js';
import { Public, RequiresSession } from '../auth/scopes.js';
import { SessionAuthenticationService } from '../auth/session-authentication.service.js';
import { AcceptsBody } from '../http/accepted-body.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { SuccessResponse } from '../http/responses.dto.js';
import { Manifest } from '../manifest/manifest.js';
import { now } from '../values/clock.js';
import { ChangePasswordRequest, SignInRequest } from './dto/session-requests.dto.js';
import { SessionResponse, SessionsResponse } from './dto/session-responses.dto.js';
import { foreignPage, sessionHasEnded } from './sessions.errors.js';
import { SessionsService } from './sessions.service.js';
import { type Origin, type SignIn, SignInService } from './sign-in.service.js';

/** Bytes of a body. */
const MAX_BODY = 16 * 1024;

/** Sessions of people, whom a cookie authenticates. */
@ApiTags('session')
@Controller('api/v1')
export class SessionsController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly authentication: SessionAuthenticationService,
    private readonly manifest: Manifest,
  ) {}

  @Post('session')
  @Public()
  @HttpCode(200)
  @AcceptsBody({ limit: MAX_BODY })
  @ApiOperation({
    summary: 'Sign in',
    description:
      'For pages of this service: sets a cookie that lasts 7 days, and 12 hours without a request. With the cookie instead ' +
      'of an API key, each request names its account in `Parley-Account` (or, in a link to a file, in `?account=`), and ' +
      'may do what the role of the user allows.',
  })
  @ApiOkResponse({ type: SessionResponse })
  @ApiUnauthorizedResponse({ description: 'The address or the password is wrong, or the link was used or is too old' })
  @ApiForbiddenResponse({ description: 'The request comes from another page' })
  @ApiTooManyRequestsResponse({ description: 'Too many failures from this IP address, or with this e-mail address' })
  @ApiServiceUnavailableResponse({ description: 'Many people are signing in at once: try again after `Retry-After`' })
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: SignInRequest,
  ): Promise<SessionResponse> {
    if (!this.authentication.isFromOwnPage(request)) throw foreignPage();
    void reply.header('cache-control', 'no-store');
    const entered = await this.enter(body, originOf(request));
    if ('organisations' in entered) {
      return {
        status: 'success',
        organisations: entered.organisations.map(({ id, name }) => ({ organisation_id: id, name })),
      };
    }
    const session = await this.authentication.authenticate(entered.token, now());
    if (session === null) throw sessionHasEnded();
    await this.replace(request, session);
    reply.header('set-cookie', this.authentication.setCookie(entered.token));
    return SessionResponse.of(session.person, session.accounts, this.scopesOf(session.person));
  }

  @Get('session')
  @RequiresSession()
  @ApiOperation({ summary: 'Who has signed in' })
  @ApiOkResponse({ type: SessionResponse })
  async current(@CurrentPerson() person: Person): Promise<SessionResponse> {
    return SessionResponse.of(person, await this.sessions.accountsOf(person), this.scopesOf(person));
  }

  @Delete('session')
  @RequiresSession()
  @ApiOperation({ summary: 'Sign out' })
  @ApiOkResponse({ type: SuccessResponse })
  async end(
    @CurrentPerson() person: Person,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SuccessResponse> {
    await this.sessions.end(person);
    reply.header('set-cookie', this.authentication.setCookie(null));
    return { status: 'success' };
  }

  @Post('session/password')
  @RequiresSession()
  @HttpCode(200)
  @AcceptsBody({ limit: MAX_BODY })
  @ApiOperation({
    summary: 'Change password',
    description: 'Ends all other sessions of the user, and makes links void.',
  })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiForbiddenResponse({ description: '`current` is wrong' })
  @ApiConflictResponse({ description: 'The session has ended meanwhile, or somebody else has set a password' })
  async changePassword(
    @CurrentPerson() person: Person,
    @Req() request: FastifyRequest,
    @Body() { current, next }: ChangePasswordRequest,
  ): Promise<SuccessResponse> {
    await this.sessions.changePassword(person, { current: current ?? null, next }, originOf(request));
    return { status: 'success' };
  }

  @Get('sessions')
  @RequiresSession()
  @ApiOperation({ summary: 'List your sessions' })
  @ApiOkResponse({ type: SessionsResponse })
  async list(@CurrentPerson() person: Person): Promise<SessionsResponse> {
    return SessionsResponse.from(await this.sessions.list(person), person);
  }

  @Delete('sessions/:session_id')
  @RequiresSession()
  @ApiOperation({ summary: 'End one of your sessions' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiNotFoundResponse({ description: 'You have no such session' })
  async endOther(
    @CurrentPerson() person: Person,
    @Param('session_id', RecordIdPipe) sessionId: string,
  ): Promise<SuccessResponse> {
    await this.sessions.end(person, sessionId);
    return { status: 'success' };
  }

  /** Ends the session that the browser had so far. */
  private async replace(request: FastifyRequest, { person }: KnownSession): Promise<void> {
    const token = this.authentication.tokenOf(request);
    const former = token === undefined ? null : await this.authentication.current(token, now());
    if (former !== null && former.person.sessionId !== person.sessionId) await this.sessions.leave(former.person);
  }

  private enter({ link, email = '', password = '', organisation_id }: SignInRequest, origin: Origin): Promise<SignIn> {
    return link === undefined
      ? this.signIn.withPassword({ email, password, organisationKey: organisation_id ?? null }, origin)
      : this.signIn.withLink(link, origin);
  }

  private scopesOf({ role }: Person): ReadonlySet<string> {
    return scopesOf(role, this.manifest.scopes);
  }
}

const originOf = (request: FastifyRequest): Origin => ({
  requestId: request.id,
  address: addressOf(request),
  countedAddress: callerAddress(request),
  device: request.headers['user-agent'] ?? null,
});
