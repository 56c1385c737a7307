import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The exact sliding window of D10, on PostgreSQL: a ring of the last accepted requests per key. */
export class CreateRateLimits1790000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rate_limit_windows (
        subject text CONSTRAINT rate_limit_windows_pkey PRIMARY KEY,
        accepted bigint NOT NULL DEFAULT 0,
        oldest bigint NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON TABLE rate_limit_windows IS 'requests accepted so far, and the number of the oldest one still in the window'
    `);
    await runner.query(`
      CREATE TABLE rate_limit_requests (
        subject text NOT NULL,
        slot bigint NOT NULL,
        accepted_at timestamptz NOT NULL,
        CONSTRAINT rate_limit_requests_pkey PRIMARY KEY (subject, slot)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON TABLE rate_limit_requests IS 'a ring per subject: request n of a limit of m stands in slot n modulo m'
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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION take_rate_limit
    `);
    await runner.query(`
      DROP TABLE rate_limit_requests
    `);
    await runner.query(`
      DROP TABLE rate_limit_windows
    `);
  }
}
