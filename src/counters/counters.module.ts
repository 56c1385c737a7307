import { Room } from '../manifest/room.js';
import { Counter } from './counter.entity.js';
import { CounterChange } from './counter-change.entity.js';
import { CounterFoldSweep } from './counter-fold.sweep.js';

/** Keeps exact counts that never block a writer. */
@Room({
  entities: [Counter, CounterChange],
  kept: { counter_changes: 'until they are folded, about a second' },
  worker: [CounterFoldSweep],
})
export class CountersModule {}
