INSERT INTO treasures_tags (record, position, target)
	SELECT t.id, e.key, e.value FROM treasures t, json_each(t.tags) e WHERE json_type(t.tags) = 'array';
ALTER TABLE treasures DROP COLUMN tags;
