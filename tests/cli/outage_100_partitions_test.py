"""Case C51 with its hundred partitions: pools of ten threads are full for hours, and the KIP's sweep is quadratic."""

import csv

import support

POLICIES = ["kafka-3.6", "kafka-3.9", "kafka-4.0", "kafka-4.3", "kip-dangling", "kip-dangling-recovery"]


def main():
    check = support.Checks()
    with support.Place() as place:
        result = place.run("run", "s3-outage-4h", "--set", "topic.orders.partitions=100", "--policy", "all", "--keep",
                           "summary", "--out", "c51", "--quiet")
        check("every policy does as the scenario expects", result.code == 0, result)
        folder = place.path / "c51"
        with open(folder / "runs.csv", newline="") as file:
            rows = {row["policy"]: row for row in csv.DictReader(file)}
        check("a row a policy", list(rows) == POLICIES, list(rows))
        kept = sorted({path.name for path in folder.rglob("*") if path.is_file()})
        check("what is long is not kept", not {"transitions.csv", "events.csv", "curves.csv"} & set(kept), kept)

        def number(policy, column):
            return int(rows[policy][column])

        kip = "kip-dangling"
        check("the sweep is clean before puts return", rows[kip]["reclaim_ms"] == "0", rows[kip])
        check("the sweep leaves nothing", number(kip, "garbage_bytes_end") == 0, rows[kip])
        for policy in POLICIES[:4]:
            check(f"{policy} waits for retention", number(policy, "reclaim_ms") > 18 * 3_600_000, rows[policy])
            check(f"{policy} holds more for longer",
                  number(policy, "garbage_byte_hours") > 10 * number(kip, "garbage_byte_hours"), rows[policy])
            check(f"{policy} costs fewer deletes than the sweep",
                  10 * number(policy, "delete_attempts") < number(kip, "delete_attempts"), rows[policy])
        recovery = "kip-dangling-recovery"
        check("recovery leaves nothing", number(recovery, "garbage_bytes_end") == 0, rows[recovery])
        for column in ("store_requests", "metadata_records"):
            check(f"recovery costs less than a third of the sweep's {column}",
                  3 * number(recovery, column) < number(kip, column), rows[recovery])
        deleted = [number(policy, "over_deleted_bytes") for policy in POLICIES]
        check("nothing retained is deleted", not any(deleted), rows)
    check.finish()


if __name__ == "__main__":
    main()
