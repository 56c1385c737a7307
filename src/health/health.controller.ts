import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/scopes.js';
import { Health, type Readiness } from './health.js';

/** Reports liveness and readiness to orchestrators. */
@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  @Public()
  @ApiOperation({ summary: 'Whether the process is alive' })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @ApiOperation({
    summary: 'Whether the process can answer requests; 503 when the database is unavailable or the process is stopping',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ok') reply.status(503);
    return readiness;
  }
}
