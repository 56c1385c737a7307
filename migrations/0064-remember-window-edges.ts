import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A rate limit window knows when its oldest and its newest request were accepted, so that the ring is read only when the
 * oldest has left the span. The caller lets the commit go without waiting for the disk; here it would be asked each time.
 */
export class RememberWindowEdges1790000000064 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rate_limit_windows ADD COLUMN oldest_at timestamptz, ADD COLUMN newest_at timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN rate_limit_windows.oldest_at IS 'when the oldest request in the window was accepted; null: the ring knows'
    `);
    await runner.query(`
      -- Accepts a request when fewer than most_requests were accepted in the span before it (D10).
      CREATE OR REPLACE FUNCTION take_rate_limit(for_subject text, most_requests bigint, span interval,
        OUT allowed boolean, OUT used bigint, OUT reset_ms bigint)
      LANGUAGE plpgsql AS $$
      DECLARE
        win rate_limit_windows;
        at timestamptz;
      BEGIN
        SELECT * INTO win FROM rate_limit_windows WHERE subject = for_subject FOR UPDATE;
        IF NOT FOUND THEN
          INSERT INTO rate_limit_windows (subject) VALUES (for_subject) ON CONFLICT DO NOTHING;
          SELECT * INTO win FROM rate_limit_windows WHERE subject = for_subject FOR UPDATE;
        END IF;
        at := clock_timestamp();
        -- A limit that was changed moves the ring; slots beyond it count as free.
        IF win.accepted - win.oldest > most_requests THEN
          win.oldest := win.accepted - most_requests;
          win.oldest_at := NULL;
        END IF;
        IF win.newest_at <= at - span THEN
          win.oldest := win.accepted;
        END IF;
        WHILE win.oldest < win.accepted LOOP
          IF win.oldest_at IS NULL THEN
            SELECT accepted_at INTO win.oldest_at FROM rate_limit_requests
              WHERE subject = for_subject AND slot = win.oldest % most_requests;
          END IF;
          EXIT WHEN win.oldest_at > at - span;
          win.oldest := win.oldest + 1;
          win.oldest_at := NULL;
        END LOOP;
        used := win.accepted - win.oldest;
        allowed := used < most_requests;
        IF allowed THEN
          INSERT INTO rate_limit_requests VALUES (for_subject, win.accepted % most_requests, at)
            ON CONFLICT ON CONSTRAINT rate_limit_requests_pkey DO UPDATE SET accepted_at = excluded.accepted_at;
          IF used = 0 THEN win.oldest_at := at; END IF;
          win.newest_at := at;
          win.accepted := win.accepted + 1;
          used := used + 1;
          UPDATE rate_limit_windows
            SET accepted = win.accepted, oldest = win.oldest, oldest_at = win.oldest_at, newest_at = win.newest_at
            WHERE subject = for_subject;
        END IF;
        reset_ms := greatest(1, ceil(extract(epoch FROM win.oldest_at + span - at) * 1000));
      END $$
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION take_rate_limit
    `);
    await runner.query(`
      ALTER TABLE rate_limit_windows DROP COLUMN oldest_at, DROP COLUMN newest_at
    `);
    await runner.query(`
      -- Accepts a request when fewer than most_requests were accepted in the span before it (D10). Commits without waiting for the disk.
      CREATE FUNCTION take_rate_limit(for_subject text, most_requests bigint, span interval,
        OUT allowed boolean, OUT used bigint, OUT reset_ms bigint)
      LANGUAGE plpgsql AS $$
      DECLARE
        win rate_limit_windows;
        at timestamptz;
        freed timestamptz;
      BEGIN
        PERFORM set_config('synchronous_commit', 'off', true);
        SELECT * INTO win FROM rate_limit_windows WHERE subject = for_subject FOR UPDATE;
        IF NOT FOUND THEN
          INSERT INTO rate_limit_windows (subject) VALUES (for_subject) ON CONFLICT DO NOTHING;
          SELECT * INTO win FROM rate_limit_windows WHERE subject = for_subject FOR UPDATE;
        END IF;
        at := clock_timestamp();
        -- A limit that was changed moves the ring; slots beyond it count as free.
        IF win.accepted - win.oldest > most_requests THEN
          win.oldest := win.accepted - most_requests;
        END IF;
        WHILE win.oldest < win.accepted LOOP
          SELECT accepted_at INTO freed FROM rate_limit_requests
            WHERE subject = for_subject AND slot = win.oldest % most_requests;
          EXIT WHEN freed > at - span;
          -- The first one that has left the span: perhaps the last one has too, and with it all between them.
          SELECT accepted_at INTO freed FROM rate_limit_requests
            WHERE subject = for_subject AND slot = (win.accepted - 1) % most_requests;
          IF freed IS NULL OR freed <= at - span THEN
            win.oldest := win.accepted;
          ELSE
            win.oldest := win.oldest + 1;
          END IF;
        END LOOP;
        used := win.accepted - win.oldest;
        allowed := used < most_requests;
        IF allowed THEN
          INSERT INTO rate_limit_requests VALUES (for_subject, win.accepted % most_requests, at)
            ON CONFLICT ON CONSTRAINT rate_limit_requests_pkey DO UPDATE SET accepted_at = excluded.accepted_at;
          IF used = 0 THEN freed := at; END IF;
          win.accepted := win.accepted + 1;
          used := used + 1;
        END IF;
        UPDATE rate_limit_windows SET accepted = win.accepted, oldest = win.oldest WHERE subject = for_subject;
        reset_ms := greatest(1, ceil(extract(epoch FROM freed + span - at) * 1000));
      END $$
    `);
  }
}
