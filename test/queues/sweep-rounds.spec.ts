import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../../src/database/unit-of-work.js';
import { Room } from '../../src/manifest/room.js';
import { Sweep } from '../../src/queues/sweep.js';
import { SweepRounds } from '../../src/queues/sweep-rounds.js';
import { DAY } from '../../src/values/clock.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { eventually, until } from '../support/until.js';
import { World } from '../support/world.js';

/** Milliseconds between two rounds of the sweeps below. */
const ROUND_MS = 20;

/** Counts its runs in this process. */
abstract class CountingSweep extends Sweep {
  runs = 0;

  protected async sweep(): Promise<void> {
    this.runs += 1;
  }
}

/** As an extension writes it. */
@Injectable()
class DailySweep extends CountingSweep {
  constructor() {
    super(DAY);
  }
}

@Injectable()
class FindingSweep extends CountingSweep {
  constructor() {
    super(ROUND_MS, { look: 'SELECT true' });
  }
}

@Injectable()
class IdleSweep extends CountingSweep {
  constructor() {
    super(ROUND_MS, { look: 'SELECT true WHERE false' });
  }
}

@Injectable()
class EverywhereSweep extends CountingSweep {
  constructor() {
    super(ROUND_MS, { look: 'SELECT true', isEverywhere: true });
  }
}

/** Its look fails, but not those of others. */
@Injectable()
class SpoiltLookSweep extends CountingSweep {
  constructor() {
    super(10 * ROUND_MS, { look: 'SELECT 1 / 0' });
  }
}

@Injectable()
class NeighbourSweep extends CountingSweep {
  constructor() {
    super(10 * ROUND_MS, { look: 'SELECT true' });
  }
}

const SWEEPS = [DailySweep, FindingSweep, IdleSweep, EverywhereSweep, SpoiltLookSweep, NeighbourSweep];

@Room({ worker: SWEEPS })
class CountedModule {}

describe('the sweeps of several workers', () => {
  let databaseUrl: string;
  let leader: World;
  let follower: World;
  const running: World[] = [];
  const start = () =>
    World.start({ databaseUrl, env: { PARLEY_ROLES: 'worker', METRICS_PORT: '0' }, rooms: [CountedModule] });
  const runsOf = (world: World, sweep: new () => CountingSweep) => world.parley.app.get(sweep, { strict: false }).runs;
  const leads = (world: World) => world.parley.app.get(SweepRounds, { strict: false }).isLeading;
  const metricsOf = async (world: World) => (await fetch(`${world.parley.operationsUrl}/metrics`)).text();

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    leader = await start();
    running.push(leader);
    await until('the first leads', () => leads(leader));
    follower = await start();
    running.push(follower);
  });
  afterAll(() => Promise.all(running.map((world) => world.stop())));

  it('run in one of them, once they find something', async () => {
    const looks = jest.spyOn(follower.parley.app.get(BackgroundUnitOfWork).autocommit, 'row');
    const before = runsOf(leader, FindingSweep);
    await until('the leader has swept', () => runsOf(leader, FindingSweep) > before + 10);
    expect(looks).not.toHaveBeenCalled();
    looks.mockRestore();
    expect([runsOf(leader, IdleSweep), runsOf(follower, IdleSweep)]).toEqual([0, 0]);
    expect(runsOf(follower, FindingSweep)).toBe(0);
    expect([runsOf(leader, DailySweep), runsOf(follower, DailySweep)]).toEqual([1, 0]);
  });

  it('run everywhere if their work is for each process', async () => {
    const before = runsOf(follower, EverywhereSweep);
    await until('both have swept', () => runsOf(follower, EverywhereSweep) > before + 3);
    expect(runsOf(leader, EverywhereSweep)).toBeGreaterThan(3);
  });

  it('look one by one when a look fails', async () => {
    await until('both have swept', () => runsOf(leader, SpoiltLookSweep) > 1 && runsOf(leader, NeighbourSweep) > 1);
  });

  it('report their age in the worker that runs them', async () => {
    const [ours, theirs] = await Promise.all([leader, follower].map(metricsOf));
    expect(ours).toContain('parley_sweeps_leader 1');
    expect(ours).toContain('parley_sweep_age_seconds{sweep="IdleSweep"}');
    expect(theirs).toContain('parley_sweeps_leader 0');
    expect(theirs).not.toContain('parley_sweep_age_seconds{');
    expect(theirs).toContain('parley_sweep_failures_total{sweep="IdleSweep"} 0');
  });

  it('do no harm while two of them believe that they lead', async () => {
    const account = await leader.account();
    const subjectId = newRecordId();
    const { autocommit } = leader.unitOfWork;
    // The one that has lost the lease learns of it only when it renews it, or has just done so.
    const bothLead = () => leads(leader) && leads(follower);
    let looks = 0;
    await until('both lead', async () => {
      // Now and then: the other needs a moment to hear of it.
      if (!bothLead() && looks % 20 === 0) {
        await autocommit.rows(
          `WITH freed AS (UPDATE sweep_lease SET holder = NULL RETURNING only_row)
           SELECT pg_notify('parley_sweep_lease', '') FROM freed`,
        );
      }
      looks += 1;
      return bothLead();
    });
    for (let change = 0; change < 20; change += 1) {
      await autocommit.affected(
        `INSERT INTO counter_changes (account_id, counter, subject_id, amount) VALUES ($1, 'contacts', $2, 1)`,
        [account.accountId, subjectId],
      );
    }
    await until('one of them knows better', () => !bothLead());
    await until('all is folded', async () => {
      const left = await autocommit.rows('SELECT FROM counter_changes WHERE account_id = $1', [account.accountId]);
      return left.length === 0;
    });
    const counted = await autocommit.row('SELECT amount FROM counters WHERE account_id = $1 AND subject_id = $2', [
      account.accountId,
      subjectId,
    ]);
    expect(counted).toEqual({ amount: 20 });
    await eventually(() => expect([runsOf(leader, DailySweep), runsOf(follower, DailySweep)]).toEqual([1, 1]));
  });

  it('go on in another when their worker stops', async () => {
    const [first, second] = leads(leader) ? [leader, follower] : [follower, leader];
    running.splice(running.indexOf(first), 1);
    await first.stop();
    await until('the other leads', () => leads(second));
    const before = runsOf(second, FindingSweep);
    await until('it sweeps', () => runsOf(second, FindingSweep) > before);
  });
});
