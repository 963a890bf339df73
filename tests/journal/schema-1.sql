BEGIN TRANSACTION;
CREATE TABLE closed (match INTEGER PRIMARY KEY REFERENCES match);
INSERT INTO "closed" VALUES(1);
CREATE TABLE line (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                       who TEXT NOT NULL, PRIMARY KEY (match, n));
INSERT INTO "line" VALUES(1,1,'{"do": "throw", "keep": [], "dice": [1, 2, 3], "at": 700}','panel');
INSERT INTO "line" VALUES(1,2,'{"do": "stop", "at": 700}','panel');
INSERT INTO "line" VALUES(1,3,'{"undo": 2, "at": 900}','panel');
INSERT INTO "line" VALUES(1,4,'{"do": "throw", "keep": [], "dice": [1, 2, 3], "at": 1500}','panel');
INSERT INTO "line" VALUES(1,5,'{"do": "stop", "at": 1500}','panel');
INSERT INTO "line" VALUES(1,6,'{"do": "throw", "keep": [], "dice": [1, 4, 8], "at": 2500}','phone:Blue');
INSERT INTO "line" VALUES(1,7,'{"do": "stop", "at": 2500}','phone:Blue');
INSERT INTO "line" VALUES(2,1,'{"do": "throw", "keep": [], "dice": [1, 2, 3], "at": 700}','panel');
INSERT INTO "line" VALUES(2,2,'{"do": "stop", "at": 700}','panel');
CREATE TABLE match (id INTEGER PRIMARY KEY, header TEXT NOT NULL, began TEXT NOT NULL);
INSERT INTO "match" VALUES(1,'{"umpi": 1, "game": "dodeka", "players": ["Zoë", "Ernő"], "options": {"parts": 1, "target": 100}, "buttons": [0, 1]}','2026-03-01T19:30:00+00:00');
INSERT INTO "match" VALUES(2,'{"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"], "options": {}, "buttons": [0, 1]}','2026-03-01T19:30:00+00:00');
CREATE TABLE phone (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, who TEXT NOT NULL,
                        name TEXT NOT NULL, began TEXT NOT NULL, revoked TEXT);
INSERT INTO "phone" VALUES(1,'abababababababababababababababababababababababababababababababab','red','Phone','2026-03-01T19:30:00+00:00',NULL);
CREATE TABLE renamed (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL,
                          players TEXT NOT NULL, PRIMARY KEY (match, n));
INSERT INTO "renamed" VALUES(2,1,'["Ann", "Cleo"]');
CREATE TABLE spoken (n INTEGER PRIMARY KEY, language TEXT NOT NULL);
INSERT INTO "spoken" VALUES(1,'hu');
CREATE TABLE trace (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                        PRIMARY KEY (match, n));
INSERT INTO "trace" VALUES(2,1,'{"umpi-trace":1}
');
COMMIT;
PRAGMA application_id = 1970106473;
PRAGMA user_version = 1;
