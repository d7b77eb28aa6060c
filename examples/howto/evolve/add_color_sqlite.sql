ALTER TABLE notes ADD COLUMN color TEXT NOT NULL DEFAULT 'white';
CREATE INDEX notes_color_idx ON notes (color);
