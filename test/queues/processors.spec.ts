import type { Type } from '@nestjs/common';
import { manifestOf } from '../../src/manifest/room.js';
import { MANIFEST } from '../../src/rooms.js';

describe('queues', () => {
  it('have one processor and one kind of job each', () => {
    const processors = MANIFEST.rooms
      .flatMap((room) => manifestOf(room).worker ?? [])
      .map(
        (provider) =>
          (Reflect.getMetadata('bullmq:processor_metadata', provider as Type) as { name: string } | undefined)?.name,
      )
      .filter((queue) => queue !== undefined);
    expect(processors.sort()).toEqual([...MANIFEST.queues].sort());
  });
});
