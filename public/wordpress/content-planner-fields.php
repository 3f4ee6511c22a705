<?php
/**
 * Plugin Name: Content Planner Fields
 * Description: Lets Content Planner write the SEO title, the meta description and the focus keyword of a post where Yoast SEO, Rank Math or The SEO Framework reads them.
 * Version: 1.0.0
 * Requires at least: 5.5
 * Requires PHP: 7.0
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 */

defined( 'ABSPATH' ) || exit;

/** Plain text on one line. Unlike sanitize_text_field() it keeps the SEO plugins' variables, such as %%date%%. */
function content_planner_fields_sanitize( $value ) {
	return wp_strip_all_tags( wp_pre_kses_less_than( wp_check_invalid_utf8( (string) $value ) ), true );
}

/** Only who may edit the post may write its fields. */
function content_planner_fields_allow( $allowed, $meta_key, $post_id, $user_id ) {
	return user_can( $user_id, 'edit_post', $post_id );
}

/** Shows the fields of the SEO plugins that are active to the REST API. */
function content_planner_fields_register() {
	$keys = array(
		'WPSEO_VERSION'             => array( '_yoast_wpseo_title', '_yoast_wpseo_metadesc', '_yoast_wpseo_focuskw' ),
		'RANK_MATH_VERSION'         => array( 'rank_math_title', 'rank_math_description', 'rank_math_focus_keyword' ),
		'THE_SEO_FRAMEWORK_VERSION' => array( '_genesis_title', '_genesis_description' ),
	);
	foreach ( $keys as $constant => $meta_keys ) {
		foreach ( defined( $constant ) ? $meta_keys : array() as $meta_key ) {
			register_post_meta(
				'post',
				$meta_key,
				array(
					'show_in_rest'      => true,
					'single'            => true,
					'type'              => 'string',
					'auth_callback'     => 'content_planner_fields_allow',
					'sanitize_callback' => 'content_planner_fields_sanitize',
				)
			);
		}
	}
}
add_action( 'init', 'content_planner_fields_register' );
