<?php
// Stands in for the SEO plugins whose constants are in this file, one a line; tests change it while the site runs.
$file = WP_CONTENT_DIR . '/seo-plugins.txt';
foreach (file_exists($file) ? file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) : [] as $name) define($name, 'tests');

// SEOPress' own routes, as far as publishing uses them.
if (defined('SEOPRESS_VERSION')) add_action('rest_api_init', function () {
  $route = function (string $name, callable $read, callable $write): void {
    $address = "/posts/(?P<id>\d+)/$name";
    register_rest_route('seopress/v1', $address, ['methods' => 'GET', 'callback' => $read, 'permission_callback' => '__return_true']);
    $may_write = fn() => current_user_can('edit_posts');
    register_rest_route('seopress/v1', $address, ['methods' => 'PUT', 'callback' => $write, 'permission_callback' => $may_write]);
  };
  $stored = fn($id, $key) => (string) get_post_meta($id, $key, true);
  $shown = fn($id, $key) => html_entity_decode($stored($id, $key), ENT_QUOTES | ENT_XML1, 'UTF-8');
  $route(
    'title-description-metas',
    fn($request) => [
      'title' => $shown($request['id'], '_seopress_titles_title'),
      'description' => $shown($request['id'], '_seopress_titles_desc'),
    ],
    function ($request) {
      $fields = [
        'title' => ['_seopress_titles_title', 'sanitize_text_field'],
        'description' => ['_seopress_titles_desc', 'sanitize_textarea_field'],
      ];
      foreach ($fields as $name => [$key, $sanitize]) {
        if (!isset($request[$name])) continue;
        if (empty($request[$name])) delete_post_meta($request['id'], $key);
        else update_post_meta($request['id'], $key, $sanitize($request[$name]));
      }
      return ['code' => 'success'];
    }
  );
  $key = '_seopress_analysis_target_kw';
  $route(
    'target-keywords',
    fn($request) => ['value' => array_values(array_filter(explode(',', strtolower($stored($request['id'], $key)))))],
    function ($request) use ($key) {
      if (!isset($request[$key])) return new WP_REST_Response(['code' => 'error', 'code_message' => 'missed_parameters'], 403);
      $keywords = implode(',', array_map('trim', explode(',', $request[$key])));
      update_post_meta($request['id'], $key, sanitize_text_field($keywords));
      return ['code' => 'success'];
    }
  );
});
