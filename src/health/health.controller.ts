import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/scopes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { JobQueue } from '../queues/job-queue.js';

/** A dependency that does not answer within this many milliseconds counts as down. */
const PATIENCE_MS = 2000;

interface HealthResponse {
  status: 'ok' | 'unavailable';
  checks?: Record<string, 'ok' | 'unavailable'>;
}

/** Tells orchestrators whether the process lives and whether it can do its work (D43). */
@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: JobQueue,
  ) {}

  @Get('live')
  @Public()
  @ApiOperation({ summary: 'Whether the process is alive' })
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @ApiOperation({ summary: 'Whether database and queue answer; 503 when one does not' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthResponse> {
    const [database, queue] = await Promise.all([
      answers(this.unitOfWork.autocommit.rows('SELECT 1')),
      answers(this.queue.ping()),
    ]);
    const ready = database === 'ok' && queue === 'ok';
    if (!ready) reply.status(503);
    return { status: ready ? 'ok' : 'unavailable', checks: { database, queue } };
  }
}

async function answers(check: Promise<unknown>): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS);
  });
  try {
    await Promise.race([check, patience]);
    return 'ok';
  } catch {
    return 'unavailable';
  } finally {
    clearTimeout(timer);
  }
}
