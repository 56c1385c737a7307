import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { HANDLED_JOB, type JobHandler } from './job-handler.js';
import { type JobName, type Jobs, QUEUE_OF_JOB } from './jobs.js';

/** Finds the one handler of every job, and stops the boot of a worker when there is none, or two. */
@Injectable()
export class JobRegistry implements OnModuleInit {
  private readonly handlers = new Map<string, JobHandler<JobName>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { metatype, instance } of this.discovery.getProviders()) {
      if (typeof metatype !== 'function' || instance === undefined) continue;
      const name = this.reflector.get<JobName | undefined>(HANDLED_JOB, metatype);
      if (name === undefined) continue;
      if (this.handlers.has(name)) throw new Error(`job ${name} has two handlers; ${metatype.name} is the second`);
      this.handlers.set(name, instance as JobHandler<JobName>);
    }
    const orphan = Object.keys(QUEUE_OF_JOB).find((name) => !this.handlers.has(name));
    if (orphan !== undefined) throw new Error(`job ${orphan} has no handler`);
  }

  /** Runs a job by name. */
  async run(name: string, data: unknown): Promise<void> {
    const handler = this.handlers.get(name);
    if (handler === undefined) throw new Error(`no handler for job ${name}: was it queued by another version?`);
    await handler.run(data as Jobs[JobName]);
  }
}
