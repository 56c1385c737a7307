import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/scopes.js';
import { Health, type Readiness } from './health.js';

const OK = { type: 'string', enum: ['ok'] };
const CHECK = { type: 'string', enum: ['ok', 'unavailable', 'outdated'] };

const readiness = (statuses: (string | undefined)[]) => ({
  type: 'object' as const,
  required: ['status'],
  properties: {
    status: { type: 'string', enum: statuses },
    checks: {
      type: 'object' as const,
      description: 'Absent while the process is stopping',
      required: ['database', 'schema', 'queue'],
      properties: { database: CHECK, schema: CHECK, queue: CHECK },
    },
    warnings: {
      type: 'array',
      description: 'What the operator should mend; absent when there is nothing',
      items: { type: 'string' },
    },
  },
});

/** Reports liveness and readiness to orchestrators. */
@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  @Public()
  @ApiOperation({ summary: 'Whether the process is alive' })
  @ApiOkResponse({ schema: { type: 'object', required: ['status'], properties: { status: OK } } })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @ApiOperation({ summary: 'Whether requests can be answered' })
  @ApiOkResponse({ schema: readiness([OK.enum[0]]) })
  @ApiServiceUnavailableResponse({
    description: 'The database cannot be used, or the process is stopping',
    content: { 'application/json': { schema: readiness(['unavailable', 'stopping']) } },
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ok') reply.status(503);
    return readiness;
  }
}
