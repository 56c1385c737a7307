import { Room } from '../manifest/room.js';
import { Leadership } from './leadership.js';
import { SweepLease } from './sweep-lease.entity.js';
import { SweepRounds } from './sweep-rounds.js';

/** Runs the sweeps of all rooms, in one worker of the cluster. */
@Room({
  entities: [SweepLease],
  providers: [Leadership, SweepRounds],
  exports: [SweepRounds],
})
export class SweepsModule {}
