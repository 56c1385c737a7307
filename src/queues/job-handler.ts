import { SetMetadata } from '@nestjs/common';
import type { JobName, Jobs } from './jobs.js';

/** Metadata under which a handler says which job it runs. */
export const HANDLED_JOB = 'parley:job';

/** Marks the provider that runs a job. Boot fails when a job has no handler, or two. */
export const HandlesJob = (name: JobName) => SetMetadata(HANDLED_JOB, name);

/** Runs one kind of job: loads what the ids name, calls a service, returns. It may be run twice or after a crash. */
export interface JobHandler<Name extends JobName> {
  run(data: Jobs[Name]): Promise<void>;
}
