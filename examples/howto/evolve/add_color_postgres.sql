ALTER TABLE notes ADD COLUMN color TEXT COLLATE "C" NOT NULL DEFAULT 'white';
CREATE INDEX notes_color_idx ON notes (color);
