-- the code
CREATE TABLE alias (
name VARCHAR(60) NOT NULL,
player VARCHAR(60) NOT NULL,
PRIMARY KEY (name)
)
CREATE TABLE box (
id VARCHAR(32) NOT NULL,
name VARCHAR(120) NOT NULL,
offset_s FLOAT NOT NULL,
key VARCHAR(64) DEFAULT '' NOT NULL,
PRIMARY KEY (id)
)
CREATE TABLE club (
id SERIAL NOT NULL,
secret VARCHAR(64) NOT NULL,
offers INTEGER NOT NULL,
PRIMARY KEY (id)
)
CREATE TABLE dropped (
n SERIAL NOT NULL,
at VARCHAR(40) NOT NULL,
topic TEXT NOT NULL,
why TEXT NOT NULL,
begins TEXT NOT NULL,
PRIMARY KEY (n)
)
CREATE TABLE match (
uid VARCHAR(64) NOT NULL,
box VARCHAR(32) NOT NULL,
number INTEGER NOT NULL,
revision INTEGER NOT NULL,
"over" BOOLEAN NOT NULL,
game VARCHAR(60) NOT NULL,
title VARCHAR(120) NOT NULL,
rules VARCHAR(60) NOT NULL,
ended TIMESTAMP WITH TIME ZONE NOT NULL,
evening DATE NOT NULL,
text TEXT NOT NULL,
PRIMARY KEY (uid, box)
)
CREATE INDEX ix_match_box ON match (box)
CREATE INDEX ix_match_evening ON match (evening)
CREATE INDEX ix_match_game ON match (game)
CREATE TABLE seat (
uid VARCHAR(64) NOT NULL,
box VARCHAR(32) NOT NULL,
seat INTEGER NOT NULL,
name VARCHAR(60) NOT NULL,
score BIGINT NOT NULL,
place INTEGER NOT NULL,
PRIMARY KEY (uid, box, seat),
FOREIGN KEY(uid, box) REFERENCES match (uid, box) ON DELETE CASCADE
)
CREATE INDEX ix_seat_name ON seat (name)
-- 0001 after None
CREATE TABLE box (
id VARCHAR(32) NOT NULL,
name VARCHAR(120) NOT NULL,
offset_s FLOAT NOT NULL,
PRIMARY KEY (id)
)
CREATE TABLE match (
uid VARCHAR(64) NOT NULL,
box VARCHAR(32) NOT NULL,
number INTEGER NOT NULL,
revision INTEGER NOT NULL,
"over" BOOLEAN NOT NULL,
game VARCHAR(60) NOT NULL,
title VARCHAR(120) NOT NULL,
rules VARCHAR(60) NOT NULL,
ended TIMESTAMP WITH TIME ZONE NOT NULL,
evening DATE NOT NULL,
text TEXT NOT NULL,
PRIMARY KEY (uid)
)
CREATE TABLE seat (
uid VARCHAR(64) NOT NULL,
seat INTEGER NOT NULL,
name VARCHAR(60) NOT NULL,
score INTEGER NOT NULL,
place INTEGER NOT NULL,
PRIMARY KEY (uid, seat),
FOREIGN KEY(uid) REFERENCES match (uid) ON DELETE CASCADE
)
CREATE TABLE alias (
name VARCHAR(60) NOT NULL,
player VARCHAR(60) NOT NULL,
PRIMARY KEY (name)
)
CREATE INDEX ix_match_box ON match (box)
CREATE INDEX ix_match_evening ON match (evening)
CREATE INDEX ix_match_game ON match (game)
CREATE INDEX ix_seat_name ON seat (name)
-- 0002 after 0001
CREATE TABLE new_match (
uid VARCHAR(64) NOT NULL,
box VARCHAR(32) NOT NULL,
number INTEGER NOT NULL,
revision INTEGER NOT NULL,
"over" BOOLEAN NOT NULL,
game VARCHAR(60) NOT NULL,
title VARCHAR(120) NOT NULL,
rules VARCHAR(60) NOT NULL,
ended TIMESTAMP WITH TIME ZONE NOT NULL,
evening DATE NOT NULL,
text TEXT NOT NULL,
PRIMARY KEY (uid, box)
)
CREATE TABLE new_seat (
uid VARCHAR(64) NOT NULL,
box VARCHAR(32) NOT NULL,
seat INTEGER NOT NULL,
name VARCHAR(60) NOT NULL,
score BIGINT NOT NULL,
place INTEGER NOT NULL,
PRIMARY KEY (uid, box, seat),
FOREIGN KEY(uid, box) REFERENCES new_match (uid, box) ON DELETE CASCADE
)
INSERT INTO new_match (uid, box, number, revision, over, game, title, rules, ended, evening, text) SELECT uid, box, number, revision, over, game, title, rules, ended, evening, text FROM match
INSERT INTO new_seat (uid, box, seat, name, score, place) SELECT match.uid, match.box, seat.seat, seat.name, seat.score, seat.place FROM seat JOIN match ON match.uid = seat.uid
DROP TABLE seat
DROP TABLE match
ALTER TABLE new_match RENAME TO match
ALTER TABLE new_seat RENAME TO seat
CREATE INDEX ix_match_box ON match (box)
CREATE INDEX ix_match_evening ON match (evening)
CREATE INDEX ix_match_game ON match (game)
CREATE INDEX ix_seat_name ON seat (name)
-- 0003 after 0002
ALTER TABLE box ADD COLUMN key VARCHAR(64) DEFAULT '' NOT NULL
CREATE TABLE club (
id SERIAL NOT NULL,
secret VARCHAR(64) NOT NULL,
offers INTEGER NOT NULL,
PRIMARY KEY (id)
)
CREATE TABLE dropped (
n SERIAL NOT NULL,
at VARCHAR(40) NOT NULL,
topic TEXT NOT NULL,
why TEXT NOT NULL,
begins TEXT NOT NULL,
PRIMARY KEY (n)
)
