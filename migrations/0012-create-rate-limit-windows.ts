import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each subject's requests were granted, oldest first. A request reads and writes a single row, however high the
 * limit: with limits up to 128 each request keeps its own time; above that, requests in the same 128th of the window
 * share one.
 */
export class CreateRateLimitWindows1790000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rate_limit_windows (
        subject text CONSTRAINT rate_limit_windows_pkey PRIMARY KEY,
        times bigint[] NOT NULL DEFAULT '{}',
        counts integer[] NOT NULL DEFAULT '{}',
        used integer NOT NULL DEFAULT 0,
        granted integer NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON COLUMN rate_limit_windows.times IS 'milliseconds since 1970, rounded up: nothing leaves the window too early'
    `);
    await runner.query(`
      COMMENT ON COLUMN rate_limit_windows.counts IS 'how many requests were granted at each of the times; used is their sum'
    `);
    await runner.query(`
      COMMENT ON COLUMN rate_limit_windows.granted IS 'how many requests the latest call was granted'
    `);
    await runner.query(`
      -- A window after some more requests: what has left the span goes, what the limit allows is added.
      CREATE FUNCTION advance_rate_limit(INOUT times bigint[], INOUT counts integer[], INOUT used integer,
        wanted integer, most bigint, span_ms bigint, OUT granted integer)
      LANGUAGE plpgsql AS $$
      DECLARE
        at bigint := ceil(date_part('epoch', clock_timestamp()) * 1000);
        step bigint := CASE WHEN most > 128 THEN (span_ms + 127) / 128 ELSE 1 END;
        newest integer := cardinality(times);
        gone integer := 0;
      BEGIN
        -- Only a clock that was set back leaves times so far ahead.
        IF times[newest] <= at - span_ms OR times[newest] > at + span_ms THEN
          times := '{}';
          counts := '{}';
          used := 0;
          newest := 0;
        ELSE
          WHILE times[gone + 1] <= at - span_ms LOOP
            gone := gone + 1;
            used := used - counts[gone];
          END LOOP;
          IF gone > 0 THEN
            times := times[gone + 1:];
            counts := counts[gone + 1:];
            newest := newest - gone;
          END IF;
        END IF;
        granted := greatest(0, least(wanted, most - used));
        IF granted > 0 THEN
          at := (at + step - 1) / step * step;
          IF times[newest] >= at THEN
            counts[newest] := counts[newest] + granted;
          ELSE
            times := times || at;
            counts := counts || granted;
          END IF;
          used := used + granted;
        END IF;
      END $$
    `);
    await runner.query(`
      -- Grants as many of the wanted requests as the limit leaves in the span that ends now.
      CREATE FUNCTION take_rate_limit(for_subject text, wanted integer, most bigint, span_ms bigint,
        OUT granted integer, OUT used integer, OUT reset_ms integer)
      LANGUAGE plpgsql AS $$
      DECLARE
        oldest bigint;
      BEGIN
        LOOP
          UPDATE rate_limit_windows w
            SET (times, counts, used, granted) =
              (SELECT a.times, a.counts, a.used, a.granted FROM advance_rate_limit(w.times, w.counts, w.used, wanted, most, span_ms) a)
            WHERE w.subject = for_subject
            RETURNING w.granted, w.used, w.times[1] INTO granted, used, oldest;
          EXIT WHEN FOUND;
          INSERT INTO rate_limit_windows (subject) VALUES (for_subject) ON CONFLICT DO NOTHING;
        END LOOP;
        reset_ms := greatest(1, floor(oldest + span_ms - date_part('epoch', clock_timestamp()) * 1000));
      END $$
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION take_rate_limit
    `);
    await runner.query(`
      DROP FUNCTION advance_rate_limit
    `);
    await runner.query(`
      DROP TABLE rate_limit_windows
    `);
  }
}
